import { describe, expect, it } from 'vitest'
import { sameData } from './find-difference.ts'

class Point {
  x: number
  constructor(x: number) {
    this.x = x
  }
}

class Secretive {
  readonly #amount: number
  constructor(amount: number) {
    this.#amount = amount
  }
  amount() {
    return this.#amount
  }
}

function circle(name: string): object {
  const made: Record<string, unknown> = { name }
  made.self = made
  return made
}

describe('the same value', () => {
  it.each<[string, unknown, unknown]>([
    [
      'fields in another order, and undefined ones',
      { a: 1, b: [{ c: 2 }] },
      { b: [{ c: 2 }], a: 1, d: undefined },
    ],
    ['dates', new Date(5), new Date(5)],
    ['sets in another order', new Set([1, 2]), new Set([2, 1])],
    ['maps', new Map([['a', { b: 1 }]]), new Map([['a', { b: 1 }]])],
    ['big numbers', 10n, 10n],
    ['NaN', Number.NaN, Number.NaN],
    ['objects of a class, by their fields', new Point(1), { x: 1 }],
    ['addresses', new URL('https://a.b/c'), new URL('https://a.b/c')],
    ['circles', circle('a'), circle('a')],
    ['nothing in it', {}, {}],
  ])('is: %s', (_, left, right) => {
    expect(sameData(left, right)).toBe(true)
    expect(sameData({ deep: [left] }, { deep: [right] })).toBe(true)
  })

  it.each<[string, unknown, unknown]>([
    ['dates', new Date(5), new Date(6)],
    ['sets', new Set([1]), new Set([2])],
    ['a set and a list', new Set([1]), [1]],
    ['maps', new Map([['a', 1]]), new Map([['a', 2]])],
    ['patterns', /a/, /b/],
    ['functions', () => 1, () => 1],
    ['a big number and its text', 10n, '10n'],
    ['NaN and its text', Number.NaN, 'NaN'],
    ['a date and nothing', new Date(5), {}],
    ['addresses', new URL('https://a.b/c'), new URL('https://a.b/d')],
    ['circles', circle('a'), circle('b')],
    ['one field more', { a: 1 }, { a: 1, b: null }],
  ])('is not: %s', (_, left, right) => {
    expect(sameData(left, right)).toBe(false)
    expect(sameData({ deep: [left] }, { deep: [right] })).toBe(false)
  })

  it('is not told of what shows nothing', () => {
    expect(() => sameData(new Secretive(5), new Secretive(7))).toThrow(
      'Secretive keeps its data to itself: compare what its methods give',
    )
  })
})
