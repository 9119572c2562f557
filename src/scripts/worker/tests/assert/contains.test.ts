import { describe, expect, it } from 'vitest'
import { failureOf, reasonOf } from '../testing.fixture.ts'

describe('Contains', () => {
  it('finds text in text', async () => {
    expect(await reasonOf(({ Contains }) => Contains('please confirm', 'confirm'))).toBeUndefined()
    expect(await failureOf(({ Contains }) => Contains('hello', 'confirm'))).toMatchObject({
      reason: '"hello" does not contain "confirm"',
      expected: 'confirm',
      actual: 'hello',
    })
  })

  it('finds an equal item in a list', async () => {
    expect(await reasonOf(({ Contains }) => Contains([{ id: 1 }, { id: 2 }], { id: 2 }))).toBeUndefined()
    expect(await reasonOf(({ Contains }) => Contains([Number.NaN], Number.NaN))).toBeUndefined()
    expect(await reasonOf(({ Contains }) => Contains([undefined], undefined))).toBeUndefined()
    expect(await reasonOf(({ Contains }) => Contains(['ab'], 'a'))).toBe('["ab"] does not contain "a"')
  })

  it('fails for values that cannot contain anything', async () => {
    expect(await reasonOf(({ Contains }) => Contains({ a: 1 }, 'a'))).toBe(
      'Contains looks in a string or an array, got {"a":1} (an object)',
    )
    expect(await reasonOf(({ Contains }) => Contains('5', 5))).toBe(
      'Contains looks for a string in a string, got 5 (a number)',
    )
  })
})

describe('NotContains', () => {
  it('passes when the part is absent', async () => {
    expect(await reasonOf(({ NotContains }) => NotContains('hello', 'error'))).toBeUndefined()
    expect(await reasonOf(({ NotContains }) => NotContains([1, 2], 3))).toBeUndefined()
  })

  it('fails when the part is there', async () => {
    expect(await reasonOf(({ NotContains }) => NotContains('an error', 'error'))).toBe(
      '"an error" contains "error"',
    )
    expect(await reasonOf(({ NotContains }) => NotContains([{ a: 1 }], { a: 1 }))).toBe(
      '[{"a":1}] contains {"a":1}',
    )
  })

  it.each([undefined, null, 5, {}, new Set(['a'])])('fails for %s', async (value) => {
    expect(await reasonOf(({ NotContains }) => NotContains(value, 'x'))).toContain(
      'looks in a string or an array',
    )
  })

  it('fails when the part is not a text', async () => {
    expect(await reasonOf(({ NotContains }) => NotContains('abc', undefined))).toContain('looks for a string')
  })
})
