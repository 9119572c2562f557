import { describe, expect, it } from 'vitest'
import { failureOf, reasonOf } from '../testing.fixture.ts'

const wrong = (value: unknown) => value as RegExp

describe('Match', () => {
  it('accepts patterns of Go and of JavaScript', async () => {
    expect(await reasonOf(({ Match }) => Match('order-12', 'order-\\d+'))).toBeUndefined()
    expect(await reasonOf(({ Match }) => Match('ORDER', '(?i)order'))).toBeUndefined()
    expect(await reasonOf(({ Match }) => Match('ab', /a(?=b)/))).toBeUndefined()
  })

  it('shows what did not match', async () => {
    expect(await failureOf(({ Match }) => Match('abc', 'x+'))).toMatchObject({
      reason: '"abc" does not match /x+/',
      expected: '/x+/',
      actual: 'abc',
    })
    expect(await reasonOf(({ Match }) => Match('abc', /X/gi))).toBe('"abc" does not match /X/gi')
  })

  it('finds the same every time, even with the flags g and y', async () => {
    const pattern = /a/g
    pattern.lastIndex = 1
    const sticky = /a/y
    for (let time = 0; time < 3; time++) {
      expect(await reasonOf(({ Match }) => Match('a', pattern))).toBeUndefined()
      expect(await reasonOf(({ Match }) => Match('ab', sticky))).toBeUndefined()
      expect(await reasonOf(({ NotMatch }) => NotMatch('b', pattern))).toBeUndefined()
    }
    expect(pattern.lastIndex).toBe(1)
    expect(await reasonOf(({ Match }) => Match('a', Object.freeze(/a/g)))).toBeUndefined()
  })

  it('reports what is wrong with a pattern', async () => {
    for (const name of ['Match', 'NotMatch'] as const) {
      expect(await reasonOf((assert) => assert[name]('a', '('))).toContain(
        'the pattern must be in RE2 syntax',
      )
      expect(await reasonOf((assert) => assert[name]('a', wrong(5)))).toBe(
        `${name} needs a pattern that is a string or a RegExp, got 5 (a number)`,
      )
    }
  })
})

describe('NotMatch', () => {
  it('passes when nothing matches', async () => {
    expect(await reasonOf(({ NotMatch }) => NotMatch('abc', 'x'))).toBeUndefined()
    expect(await failureOf(({ NotMatch }) => NotMatch('abc', /b/))).toMatchObject({
      reason: '"abc" matches /b/',
      expected: 'no match of /b/',
    })
  })

  it.each([5, undefined, null, ['x'], {}])('fails for %s', async (value) => {
    expect(await reasonOf(({ NotMatch }) => NotMatch(value, 'x'))).toContain(
      'NotMatch looks in a string, got ',
    )
    expect(await reasonOf(({ Match }) => Match(value, ''))).toContain('Match looks in a string, got ')
  })
})
