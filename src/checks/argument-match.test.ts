import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkMatchers, compileArguments } from './argument-match.ts'

const findMisses = (expected: unknown, actual: unknown) => compileArguments(expected)(actual)

function problemsIn(expected: unknown): string[] {
  const problems: string[] = []
  checkMatchers(expected, ['arguments'], (path, message) => {
    problems.push(`${typeof path === 'string' ? path : path.join('.')}: ${message}`)
  })
  return problems
}

describe('compileArguments', () => {
  it('accepts a deep subset', () => {
    expect(findMisses({ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 })).toEqual([])
    expect(findMisses({}, { anything: 1 })).toEqual([])
    expect(findMisses({ a: {} }, { a: { b: 1 } })).toEqual([])
  })

  it('compares the lengths of arrays and their members as subsets', () => {
    expect(findMisses({ list: [{ a: 1 }, 2] }, { list: [{ a: 1, b: 2 }, 2] })).toEqual([])
    expect(findMisses({ list: [1] }, { list: [1, 2] })).toEqual(['list was [1,2], expected [1]'])
    expect(findMisses({ list: [1, 2] }, { list: [2, 1] })).toHaveLength(2)
    expect(findMisses({ list: [1] }, { list: { 0: 1 } })).toHaveLength(1)
  })

  it('distinguishes types', () => {
    expect(findMisses({ a: '1' }, { a: 1 })).toEqual(['a was 1, expected "1"'])
    expect(findMisses({ a: {} }, { a: [] })).toHaveLength(1)
    expect(findMisses({ a: null }, {})).toEqual(['a was missing, expected null'])
    expect(findMisses({ a: null }, { a: null })).toEqual([])
  })

  it('lists every difference with its path', () => {
    expect(findMisses({ a: { b: [{ c: 1 }] }, d: 2 }, { a: { b: [{ c: 9 }] }, d: 8 })).toEqual([
      'a.b[0].c was 9, expected 1',
      'd was 8, expected 2',
    ])
  })

  it.each([
    [{ $regex: '^EXP-\\d+$' }, 'EXP-12', true],
    [{ $regex: '^EXP-\\d+$' }, 'EXP-x', false],
    [{ $regex: '35' }, 3500, true],
    [{ $any: true }, 0, true],
    [{ $any: true }, null, true],
    [{ $gt: 5 }, 6, true],
    [{ $gt: 5 }, 5, false],
    [{ $gte: 5 }, 5, true],
    [{ $lt: 5 }, 4, true],
    [{ $lt: 5 }, 5, false],
    [{ $lte: 5 }, 5, true],
    [{ $gte: 1, $lt: 10 }, 5, true],
    [{ $gte: 1, $lt: 10 }, 10, false],
    [{ $gt: 5 }, '6', false],
  ])('matches %j with %j: %s', (matcher, actual, matches) => {
    expect(findMisses({ x: matcher }, { x: actual })).toHaveLength(matches ? 0 : 1)
    expect(findMisses({ x: [matcher] }, { x: [actual] })).toHaveLength(matches ? 0 : 1)
  })

  it('does not match a missing value with any matcher', () => {
    for (const matcher of [{ $any: true }, { $regex: '' }, { $lt: 5 }]) {
      expect(findMisses({ x: matcher }, {})).toHaveLength(1)
    }
  })

  it('describes what a matcher expects', () => {
    expect(findMisses({ n: { $gt: 3600 } }, { n: 3500 })).toEqual(['n was 3500, expected more than 3600'])
    expect(findMisses({ n: { $regex: 'a+' } }, { n: 'b' })).toEqual(['n was "b", expected a match of /a+/'])
    expect(findMisses({ n: { $any: true } }, {})).toEqual(['n was missing, expected any value'])
  })

  it('treats inherited properties as missing', () => {
    expect(findMisses({ constructor: { $any: true } }, {})).toHaveLength(1)
    expect(findMisses(JSON.parse('{"__proto__": {"a": 1}}'), {})).toHaveLength(1)
  })

  it('matches every value with itself and with a superset of itself', () => {
    const key = fc.string().filter((text) => !text.includes('$'))
    const plain = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('"$'))
    fc.assert(
      fc.property(fc.dictionary(key, plain), fc.dictionary(key, plain), (some, more) => {
        expect(findMisses({ nested: some }, { nested: { ...more, ...some } })).toEqual([])
      }),
    )
  })

  it('handles data of the maximum depth', () => {
    const nest = (inner: unknown) => {
      let value = inner
      for (let depth = 0; depth < 500; depth++) value = { a: value }
      return value
    }
    expect(findMisses(nest(1), nest(1))).toEqual([])
    expect(findMisses(nest(1), nest(2))).toHaveLength(1)
    expect(problemsIn(nest(1))).toEqual([])
  })
})

describe('checkMatchers', () => {
  it('accepts plain data and valid matchers', () => {
    expect(problemsIn({ a: [{ $regex: 'a' }, { $any: true }], $ref: 'x', b: { $gt: 1, $lte: 2 } })).toEqual(
      [],
    )
  })

  it.each([
    [{ a: { $regx: 'a' } }, 'arguments.a.$regx: unknown matcher "$regx" (did you mean "$regex"?)'],
    [{ a: { $regex: 5 } }, 'arguments.a.$regex: "$regex" takes a pattern'],
    [{ a: [{ $any: false }] }, 'arguments.a.0.$any: "$any" takes true'],
    [{ a: { $gt: '5' } }, 'arguments.a.$gt: "$gt" takes a number'],
    [{ a: { $gt: 5, b: 1 } }, 'arguments.a.$gt: "$gt" cannot be combined with plain keys'],
  ])('rejects %j', (expected, problem) => {
    expect(problemsIn(expected)).toEqual([problem])
  })

  it('rejects patterns that are not in RE2 syntax', () => {
    expect(problemsIn({ a: { $regex: '(?=a)' } })).toEqual([expect.stringMatching(/RE2 has no lookaheads/)])
  })
})
