import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sameData } from './find-difference.ts'

describe('the same data', () => {
  it('finds every JSON value equal to its copy', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(sameData(value, JSON.parse(JSON.stringify(value)))).toBe(true)
      }),
    )
  })

  it("agrees with Node's own comparison for similar values", () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        fc.constantFrom(null, true, 0, 1, 'a'),
        fc.array(tie('value'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom('a', 'b'), tie('value'), { maxKeys: 2, noNullPrototype: true }),
      ),
    }))
    fc.assert(
      fc.property(value, value, (left, right) => {
        expect(sameData(left, right)).toBe(isDeepStrictEqual(left, right))
      }),
    )
  })

  it('ignores the order of keys but not that of members', () => {
    expect(sameData({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true)
    expect(sameData([1, 2], [2, 1])).toBe(false)
  })

  it('is symmetric', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        expect(sameData(left, right)).toBe(sameData(right, left))
      }),
    )
  })

  it('distinguishes types, lengths and keys', () => {
    for (const [left, right] of [
      [1, '1'],
      [null, {}],
      [null, undefined],
      [[], {}],
      [[1], [1, 1]],
      [{ a: 1 }, { b: 1 }],
      [{ a: 1 }, { a: 1, b: 1 }],
      [{ toString: 1 }, {}],
    ]) {
      expect(sameData(left, right), JSON.stringify([left, right])).toBe(false)
    }
  })

  it('takes an undefined key for an absent one, and minus zero for zero', () => {
    expect(sameData({ a: undefined }, {})).toBe(true)
    expect(sameData({ a: undefined, b: 1 }, { b: 1, c: undefined })).toBe(true)
    expect(sameData(-0, 0)).toBe(true)
  })

  it('does not overflow for deeply nested data', () => {
    const nest = () => {
      let value: unknown = 1
      for (let depth = 0; depth < 200_000; depth++) value = depth % 2 === 0 ? [value] : { a: value }
      return value
    }
    expect(sameData(nest(), nest())).toBe(true)
  })
})
