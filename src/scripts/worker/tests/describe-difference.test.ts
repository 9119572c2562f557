import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { areEqual, findDifference } from '../../../json/equal/find-difference.ts'
import { describeDifference } from './describe-difference.ts'

function differenceOf(actual: unknown, expected: unknown): string | undefined {
  const difference = findDifference(actual, expected)
  // A difference must be found from both sides.
  expect(areEqual(expected, actual)).toBe(difference === undefined)
  return difference === undefined ? undefined : describeDifference(difference)
}

class Point {
  x: number
  constructor(x: number) {
    this.x = x
  }
}

class Secret {
  readonly #value: number
  constructor(value: number) {
    this.#value = value
  }
  reveal(): number {
    return this.#value
  }
}

describe('values that are equal', () => {
  const symbol = Symbol('key')
  it.each([
    [Number.NaN, Number.NaN],
    [0, -0],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [{ a: 1 }, Object.assign(Object.create(null), { a: 1 })],
    [Object.assign(new Array(2), { 1: 1 }), [undefined, 1]],
    [new Date(5), new Date(5)],
    [new Date(Number.NaN), new Date(Number.NaN)],
    [/a/g, /a/g],
    [new Map([['a', { b: 1 }]]), new Map([['a', { b: 1 }]])],
    [new Map([[{ k: 1 }, 1]]), new Map([[{ k: 1 }, 1]])],
    [new Set([1, { a: 1 }, { b: 2 }]), new Set([{ b: 2 }, { a: 1 }, 1])],
    [new Set([Number.NaN, -0]), new Set([0, Number.NaN])],
    [new Uint8Array([1, 2]), new Uint8Array([1, 2])],
    [new Float32Array([Number.NaN]), new Float32Array([Number.NaN])],
    [new Uint8Array([1]).buffer, new Uint8Array([1]).buffer],
    [new Error('a'), new Error('a')],
    [Object(5), Object(5)],
    [Object(symbol), Object(symbol)],
    [new Point(1), new Point(1)],
    [new URL('https://a.example'), new URL('https://a.example')],
    [{ [symbol]: 1 }, { [symbol]: 1 }],
  ])('%o and %o', (actual, expected) => {
    expect(differenceOf(actual, expected)).toBeUndefined()
  })

  it('may be instances of a class without data', () => {
    class Marker {}
    expect(differenceOf({ by: new Marker() }, { by: new Marker() })).toBeUndefined()
  })

  it('may contain themselves', () => {
    const ring = (): unknown[] => {
      const list: unknown[] = [1]
      list.push({ list }, new Set([list]), new Map([[list, list]]))
      return list
    }
    expect(differenceOf(ring(), ring())).toBeUndefined()
    const short: unknown[] = []
    short.push(short)
    const long: unknown[] = []
    long.push([[long]])
    expect(differenceOf(short, long)).toBeUndefined()
  })

  it('may contain the same object in several places', () => {
    let shared: object = { end: true }
    let copied: object = { end: true }
    for (let level = 0; level < 100; level++) {
      shared = { left: shared, right: shared }
      copied = { left: copied, right: copied }
    }
    expect(areEqual(shared, copied)).toBe(true)
    const one = { a: 1 }
    expect(differenceOf([one, one], [{ a: 1 }, { a: 1 }])).toBeUndefined()
  })

  it('may be mostly empty lists', () => {
    const holes = () => Object.assign([], { 5: 1, length: 4_000_000_000 })
    expect(differenceOf(holes(), holes())).toBeUndefined()
    expect(differenceOf(holes(), Object.assign(holes(), { 5: 2 }))).toBe('["5"]: expected 2, got 1')
  })

  it('may be nested very deeply', () => {
    expect(areEqual(nested(100_000, 'end'), nested(100_000, 'end'))).toBe(true)
  })
})

describe('values that differ', () => {
  it.each([
    [2, 1, 'expected 1, got 2'],
    [undefined, 0, 'expected 0, got undefined'],
    [null, undefined, 'expected undefined, got null'],
    ['1', 1, 'expected 1, got "1"'],
    [1n, 1, 'expected 1, got 1n'],
    [{}, [], 'expected [], got {}'],
    [{ a: { b: 1 }, c: 1 }, { a: { b: 2 }, c: 2 }, 'a.b: expected 2, got 1'],
    [{ items: [1, 2, { total: 6 }] }, { items: [1, 2, { total: 5 }] }, 'items[2].total: expected 5, got 6'],
    [{}, { a: undefined }, 'a: expected undefined, got nothing'],
    [{ a: 1, 'x-y': 2 }, { a: 1 }, '["x-y"]: expected nothing, got 2'],
    [{ a: [1, 2, 3] }, { a: [1, 2] }, 'a: expected 2 items, got 3'],
    [[], [1], 'expected 1 item, got 0'],
    [new Date(0), new Date(1), 'expected 1970-01-01T00:00:00.001Z, got 1970-01-01T00:00:00.000Z'],
    [new Date(0), 0, 'expected 0, got 1970-01-01T00:00:00.000Z'],
    [/a/g, /a/i, 'expected /a/i, got /a/g'],
    [new Map([['a', [1]]]), new Map([['a', [2]]]), 'get("a")[0]: expected 2, got 1'],
    [new Map([['a', 1]]), new Map([['b', 1]]), 'get("b"): expected 1, got nothing'],
    [new Map([[{ k: 1 }, 1]]), new Map([[{ k: 1 }, 2]]), 'expected {"k":1} in it, got none like that'],
    [new Set([1]), new Set([1, 2]), 'expected 2 items, got 1'],
    [
      { tags: new Set([{ a: 1 }]) },
      { tags: new Set([{ a: 2 }]) },
      'tags: expected {"a":2} in it, got none like that',
    ],
    [new Set(['1']), new Set([1]), 'expected 1 in it, got none like that'],
    [new Uint8Array([1, 2]), new Uint8Array([1, 3]), '[1]: expected 3, got 2'],
    [new Uint8Array([1]), new Int8Array([1]), 'expected Int8Array(1) [ 1 ], got Uint8Array(1) [ 1 ]'],
    [new Error('a'), new Error('b'), 'message: expected "b", got "a"'],
    [new TypeError('a'), new Error('a'), 'name: expected "Error", got "TypeError"'],
    [Object.assign(new Error('a'), { code: 1 }), new Error('a'), 'code: expected nothing, got 1'],
    [Object(5), 5, 'expected 5, got [Number: 5]'],
    [Object('a'), Object('b'), "expected [String: 'b'], got [String: 'a']"],
    [new Point(1), { x: 1 }, 'expected {"x":1}, got Point {"x":1}'],
    [
      new URL('https://a.example'),
      new URL('https://b.example'),
      'toJSON(): expected "https://b.example/", got "https://a.example/"',
    ],
    [
      new WeakMap(),
      new WeakMap(),
      'expected WeakMap { <items unknown> }, got WeakMap { <items unknown> } (they only look alike)',
    ],
    [() => 1, () => 1, 'expected [Function], got [Function] (they only look alike)'],
  ])('%o and %o', (actual, expected, reason) => {
    expect(differenceOf(actual, expected)).toBe(reason)
  })

  it('are shown from the difference, in long texts', () => {
    const text = 'x'.repeat(500)
    expect(differenceOf(`${text}b`, `${text}a`)).toBe(
      `expected "…${'x'.repeat(20)}a", got "…${'x'.repeat(20)}b"`,
    )
  })

  it('may differ very deep inside', () => {
    const reason = differenceOf(nested(100_000, 'a'), nested(100_000, 'b'))
    expect(reason).toBe(`…${'[0]'.repeat(12)}: expected "b", got "a"`)
  })

  it('may differ inside a circular structure', () => {
    const ring = (end: number): object => {
      const node: Record<string, unknown> = { end: { value: end } }
      return Object.assign(node, { again: node, members: new Set([{ node }]) })
    }
    expect(differenceOf(ring(1), ring(2))).toBe('end.value: expected 2, got 1')
  })

  it('are found in Sets that need another order', () => {
    const both = (a: number, b: number) => new Set([{ n: a }, { n: b }, { n: b }])
    expect(differenceOf(both(1, 2), both(2, 1))).toBe('expected {"n":1} in it, got none like that')
  })
})

describe('comparing throws for', () => {
  it('objects with private data', () => {
    expect(() => areEqual(new Secret(1), new Secret(1))).toThrow('Secret keeps its data to itself')
    class Child extends Secret {}
    expect(() => areEqual({ a: new Child(1) }, { a: new Child(2) })).toThrow(
      'Secret keeps its data to itself',
    )
    expect(() => areEqual(new Intl.NumberFormat('en'), new Intl.NumberFormat('de'))).toThrow(
      'NumberFormat keeps',
    )
    const secret = new Secret(1)
    expect(areEqual(secret, secret)).toBe(true)
  })

  it('endless objects', () => {
    const endless = (): object => ({
      get next() {
        return endless()
      },
    })
    expect(() => areEqual(endless(), endless())).toThrow('nested more than 200000 levels deep')
  })
})

/** A value in this many arrays. */
function nested(levels: number, end: unknown): unknown {
  let value = end
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

describe('any value', () => {
  const anything = fc.anything({
    maxDepth: 4,
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withNullPrototype: true,
    withSparseArray: true,
    withBoxedValues: true,
  })

  it('equals a copy of itself', () => {
    fc.assert(fc.property(fc.clone(anything, 2), ([one, other]) => areEqual(one, other)))
  })

  it('equals another one from both sides or from neither', () => {
    fc.assert(fc.property(anything, anything, (one, other) => areEqual(one, other) === areEqual(other, one)))
  })

  it('differs from a copy in which one value was changed', () => {
    const data = fc.jsonValue({ maxDepth: 5 }) as fc.Arbitrary<unknown>
    fc.assert(
      fc.property(fc.clone(data, 2), fc.nat(), ([one, other], seed) => {
        const changed = change(other, seed)
        const difference = findDifference(changed, one)
        expect(difference).toBeDefined()
        expect(areEqual(one, changed)).toBe(false)
      }),
    )
  })
})

/** The value with one of the values in it, chosen by the seed, replaced by another. */
function change(value: unknown, seed: number): unknown {
  if (typeof value !== 'object' || value === null) return value === 'changed' ? 'changed again' : 'changed'
  const keys = Object.keys(value)
  const key = keys[seed % (keys.length + 1)]
  if (key === undefined)
    return Array.isArray(value) ? [...value, null] : { ...value, [`${keys.join('')}+`]: undefined }
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
  const changed = change(copy[key], Math.floor(seed / (keys.length + 1)))
  Object.defineProperty(copy, key, { value: changed, enumerable: true })
  return copy
}
