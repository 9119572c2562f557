import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bestPairing, bestPairingInOrder, type Pairing } from './pairing.ts'

const table = fc
  .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }))
  .chain(([expected, actual]) =>
    fc.record({
      actual: fc.constant(actual),
      rows: fc.array(fc.array(fc.boolean(), { minLength: actual, maxLength: actual }), {
        minLength: expected,
        maxLength: expected,
      }),
    }),
  )

/** The largest number of pairs, found by trying all of them. */
function mostPairs(rows: boolean[][], inOrder: boolean, row = 0, taken: number[] = []): number {
  const fits = rows[row]
  if (fits === undefined) return 0
  const free = [...fits.keys()].filter((column) => fits[column] && !taken.includes(column))
  const allowed = inOrder ? free.filter((column) => taken.every((other) => other < column)) : free
  const without = mostPairs(rows, inOrder, row + 1, taken)
  return Math.max(
    without,
    ...allowed.map((column) => 1 + mostPairs(rows, inOrder, row + 1, [...taken, column])),
  )
}

function listPairs(pairing: Pairing): number[] {
  return pairing.filter((actual) => actual !== undefined)
}

describe.each([
  ['bestPairing', bestPairing, false],
  ['bestPairingInOrder', bestPairingInOrder, true],
])('%s', (_, pair, inOrder) => {
  it('finds the largest number of fitting pairs without duplicates', () => {
    fc.assert(
      fc.property(table, ({ rows, actual }) => {
        const pairing = pair(rows.length, actual, (e, a) => rows[e]?.[a] === true)
        const pairs = listPairs(pairing)
        expect(pairing).toHaveLength(rows.length)
        expect(new Set(pairs).size).toBe(pairs.length)
        expect(pairing.every((a, e) => a === undefined || rows[e]?.[a] === true)).toBe(true)
        if (inOrder) expect(pairs).toEqual(pairs.toSorted((left, right) => left - right))
        expect(pairs.length).toBe(mostPairs(rows, inOrder))
      }),
    )
  })

  it('handles many calls', () => {
    expect(listPairs(pair(100, 5000, (e, a) => a >= e))).toHaveLength(100)
  })
})
