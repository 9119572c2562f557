import { describe, expect, it } from 'vitest'
import { exactTest, type Paired } from './exact-test.ts'

/** Cases with one run before and one run after. */
function singles(newlyFailing: number, newlyPassing: number, others = 3): Paired[] {
  const once = (base: number, head: number, count: number) =>
    Array.from({ length: count }, () => ({
      base: { runs: 1, passed: base },
      head: { runs: 1, passed: head },
    }))
  return [
    ...once(1, 0, newlyFailing),
    ...once(0, 1, newlyPassing),
    ...once(1, 1, others),
    ...once(0, 0, others),
  ]
}

describe('exactTest', () => {
  it.each([
    // Agresti, Categorical Data Analysis: approval of the prime minister, 150 and 86 of 1,600 changed their minds
    [150, 86, 3.716e-5],
    // The table of statsmodels' documentation of `mcnemar`: 121 and 59
    [121, 59, 4.4344e-6],
    [6, 0, 2 / 64],
    [5, 0, 2 / 32],
    [0, 0, 1],
  ])('is McNemar’s test for single runs: %i and %i', (failing, passing, published) => {
    const { twoSided } = exactTest(singles(failing, passing))
    expect(twoSided / published).toBeCloseTo(1, 3)
  })

  it('is Fisher’s test for one case: the lady tasting tea', () => {
    const { worse, better } = exactTest([{ base: { runs: 4, passed: 3 }, head: { runs: 4, passed: 1 } }])
    expect(worse).toBeCloseTo(17 / 70, 12)
    expect(better).toBeCloseTo(69 / 70, 12)
  })

  it('combines the evidence of several cases', () => {
    const one = { base: { runs: 3, passed: 3 }, head: { runs: 3, passed: 1 } }
    const { worse } = exactTest([one])
    expect(worse).toBeCloseTo(0.2, 12)
    expect(exactTest([one, one, one]).worse).toBeCloseTo(0.2 ** 3, 12)
  })

  it('is not affected by cases whose runs all have the same outcome', () => {
    const moved = { base: { runs: 5, passed: 5 }, head: { runs: 4, passed: 1 } }
    const still = [
      { base: { runs: 5, passed: 5 }, head: { runs: 9, passed: 9 } },
      { base: { runs: 2, passed: 0 }, head: { runs: 5, passed: 0 } },
    ]
    expect(exactTest([...still, moved, ...still]).worse).toBeCloseTo(exactTest([moved]).worse, 12)
  })

  it('handles thousands of cases', () => {
    const { worse } = exactTest(
      Array.from({ length: 3000 }, (_, index) => ({
        base: { runs: 3, passed: index % 4 },
        head: { runs: 3, passed: (index + 1) % 4 },
      })),
    )
    expect(worse).toBeGreaterThan(0.4)
    expect(worse).toBeLessThan(0.6)
  })
})
