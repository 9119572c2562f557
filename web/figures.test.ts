import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countStabilities, histogram, percentile, percentText, summarizeDurations, tally } from './figures.ts'
import { groupRows } from './group-rows.ts'
import type { Outcome } from './outcomes.ts'
import { createRow } from './row.fixture.ts'

describe('a percentile', () => {
  it.each<[number, number[], number | undefined]>([
    [0.5, [], undefined],
    [0.5, [7], 7],
    [0.5, [1, 2], 1],
    [0.5, [1, 2, 3], 2],
    [0.95, [1, 2, 3], 3],
    [0, [1, 2, 3], 1],
    [1, [1, 2, 3], 3],
  ])('of %d of %j is %s', (share, sorted, expected) => {
    expect(percentile(sorted, share)).toBe(expected)
  })

  it('has at least that share of the values at or below it, and less below', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1 }),
        fc.constantFrom(0.5, 0.9, 0.95, 0.99),
        (values, share) => {
          const sorted = values.toSorted((left, right) => left - right)
          const value = percentile(sorted, share) ?? Number.NaN
          const needed = share * sorted.length
          expect(sorted.filter((each) => each <= value).length).toBeGreaterThanOrEqual(needed)
          expect(sorted.filter((each) => each < value).length).toBeLessThan(needed)
        },
      ),
    )
  })
})

const durations = fc.array(fc.double({ min: 0, max: 1e7, noNaN: true }), { minLength: 1 })
const bars = fc.integer({ min: 1, max: 40 })

describe('a histogram', () => {
  it('has no bars without values', () => {
    expect(histogram([], 24)).toEqual([])
  })

  it('counts every value once', () => {
    fc.assert(
      fc.property(durations, bars, (values, most) => {
        const bins = histogram(values, most)
        expect(bins.length).toBeLessThanOrEqual(most)
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length)
      }),
    )
  })

  it('spans from the smallest to the largest value without gaps', () => {
    fc.assert(
      fc.property(durations, bars, (values, most) => {
        const bins = histogram(values, most)
        const [least, greatest] = [Math.max(1, Math.min(...values)), Math.max(1, ...values)]
        expect(bins[0]?.from).toBeCloseTo(least)
        expect((bins.at(-1)?.to ?? 0) / greatest).toBeCloseTo(1)
        for (const [index, { from }] of bins.entries()) if (index > 0) expect(from).toBe(bins[index - 1]?.to)
      }),
    )
  })

  it('has steps that grow by the same factor', () => {
    const [first, second, third] = histogram([1, 5, 50, 1000, 1000], 3)
    expect(first).toEqual({ from: 1, to: expect.closeTo(10), count: 2 })
    expect(second).toEqual({ from: expect.closeTo(10), to: expect.closeTo(100), count: 1 })
    expect(third).toEqual({ from: expect.closeTo(100), to: expect.closeTo(1000), count: 2 })
  })

  it('is one bar when all values are equal', () => {
    expect(histogram([250, 250], 24)).toEqual([{ from: 250, to: 250, count: 2 }])
    expect(histogram([0, 0, 0.5], 24)).toEqual([{ from: 1, to: 1, count: 3 }])
  })

  it('handles more values than a function can have arguments', () => {
    const values = Array.from({ length: 300_000 }, (_, index) => index)
    expect(histogram(values, 24).reduce((sum, { count }) => sum + count, 0)).toBe(300_000)
  })
})

describe('durations', () => {
  it('are those of finished results', () => {
    const rows = [
      createRow({ durationMs: 100 }),
      createRow({ durationMs: 300, outcome: 'failed' }),
      createRow({ durationMs: 0, outcome: 'skipped' }),
      createRow({ durationMs: 0, outcome: 'unfinished' }),
      createRow({ durationMs: 0, outcome: 'unfinished' }),
      createRow({ durationMs: 9000, outcome: 'failed', retrying: true }),
    ]
    expect(summarizeDurations(rows)).toMatchObject({ half: 100, most: 300, slowest: 300 })
    expect(summarizeDurations(rows.slice(2))).toBeUndefined()
  })
})

describe('stabilities', () => {
  const count = (...cases: Outcome[][]) => {
    const rows = cases.flatMap((outcomes, index) =>
      outcomes.map((outcome, run) => createRow({ id: `T${index}`, run: run + 1, outcome })),
    )
    return Object.fromEntries(countStabilities(rows, groupRows(rows)))
  }

  it('are counted by how many runs passed', () => {
    expect(
      count(
        ['passed', 'passed'],
        ['passed', 'passed', 'passed', 'passed', 'failed'],
        ['passed', 'failed'],
        ['failed', 'failed'],
        ['failed', 'known', 'passed'],
      ),
    ).toEqual({ stable: 1, 'mostly stable': 1, unstable: 1, 'highly unstable': 1, 'fails every time': 1 })
  })

  it('do not include cases with one run or without judged runs', () => {
    expect(count(['passed'], ['failed'], ['broken', 'skipped'])).toEqual({
      stable: 0,
      'mostly stable': 0,
      unstable: 0,
      'highly unstable': 0,
      'fails every time': 0,
    })
  })
})

describe('a tally', () => {
  it('has the most frequent first, and equal counts in their original order', () => {
    expect(tally(['b', 'a', 'c', 'c', 'a', 'c', '__proto__'])).toEqual([
      ['c', 3],
      ['a', 2],
      ['b', 1],
      ['__proto__', 1],
    ])
  })
})

describe('a percentage', () => {
  it.each([
    [0, 0, '–'],
    [0, 7, '0%'],
    [7, 7, '100%'],
    [1, 2, '50%'],
    [1, 3, '33.3%'],
    [9999, 10_000, '99.9%'],
    [1, 10_000, '0.1%'],
  ])('of %d in %d is %s', (part, whole, text) => {
    expect(percentText(part, whole)).toBe(text)
  })

  it('is 0 or 100 only if it is exact', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1e6 }), fc.nat(), (whole, seed) => {
        const share = percentText(1 + (seed % (whole - 1)), whole)
        expect(['0%', '100%']).not.toContain(share)
      }),
    )
  })
})
