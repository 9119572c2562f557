import { describe, expect, it } from 'vitest'
import { failureOf, reasonOf } from '../testing.fixture.ts'

describe('Equal', () => {
  it('passes for equal values', async () => {
    expect(await reasonOf(({ Equal }) => Equal(1, 1))).toBeUndefined()
    expect(
      await reasonOf(({ Equal }) => Equal({ a: [1, { b: null }] }, { a: [1, { b: null }] })),
    ).toBeUndefined()
  })

  it('names what was expected, and records both values completely', async () => {
    expect(await failureOf(({ Equal }) => Equal(2, 1, 'the id'))).toEqual({
      type: 'Equal',
      reason: 'expected 1, got 2',
      message: 'the id',
      expected: 1,
      actual: 2,
      at: undefined,
    })
    const actual = { items: [{ total: 1 }, { total: 6 }] }
    const expected = { items: [{ total: 1 }, { total: 5 }] }
    expect(await failureOf(({ Equal }) => Equal(actual, expected))).toMatchObject({
      reason: 'items[1].total: expected 5, got 6',
      expected,
      actual,
    })
  })

  it('never treats an absent value as another one', async () => {
    expect(await reasonOf(({ Equal }) => Equal(undefined, 0))).toBe('expected 0, got undefined')
    expect(await reasonOf(({ Equal }) => Equal(undefined, null))).toBe('expected null, got undefined')
    expect(await reasonOf(({ Equal }) => Equal('1', 1))).toBe('expected 1, got "1"')
  })

  it('needs both values', async () => {
    const incomplete = (Equal: (...args: never[]) => boolean) => Reflect.apply(Equal, undefined, [undefined])
    expect(await reasonOf(({ Equal }) => incomplete(Equal))).toBe('Equal needs the expected value')
    expect(await reasonOf(({ Equal }) => Equal(undefined, undefined))).toBeUndefined()
  })

  it('fails when a value cannot be read', async () => {
    const broken = {
      get total(): number {
        throw new Error('no total')
      },
    }
    expect(await reasonOf(({ Equal }) => Equal(broken, { total: 1 }))).toBe('could not be judged: no total')
  })
})

describe('NotEqual', () => {
  it('passes for values that differ', async () => {
    expect(await reasonOf(({ NotEqual }) => NotEqual(1, 2))).toBeUndefined()
    expect(await reasonOf(({ NotEqual }) => NotEqual({ a: 1 }, { a: undefined }))).toBeUndefined()
  })

  it('fails for equal values', async () => {
    expect(await failureOf(({ NotEqual }) => NotEqual({ a: 1 }, { a: 1 }))).toMatchObject({
      reason: 'expected anything but {"a":1}',
      expected: 'anything but {"a":1}',
      actual: { a: 1 },
    })
  })

  it('fails when a value cannot be read', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    expect(await reasonOf(({ NotEqual }) => NotEqual(proxy, {}))).toContain('could not be judged: ')
    expect(await reasonOf(({ NotEqual }) => NotEqual({}, proxy))).toContain('could not be judged: ')
  })
})
