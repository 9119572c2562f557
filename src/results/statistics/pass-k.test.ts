import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allOfK, anyOfK, passK } from './pass-k.ts'

describe('pass^k and pass@k', () => {
  it('are computed by drawing without replacement', () => {
    // C(3, 2) / C(4, 2) = 3/6; the square of the rate would be 0.5625
    expect(allOfK({ runs: 4, passed: 3 }, 2)).toBeCloseTo(0.5, 12)
    // 1 − C(2, 2) / C(5, 2) = 1 − 1/10
    expect(anyOfK({ runs: 5, passed: 3 }, 2)).toBeCloseTo(0.9, 12)
    expect(allOfK({ runs: 4, passed: 3 }, 4)).toBe(0)
    expect(anyOfK({ runs: 4, passed: 1 }, 4)).toBe(1)
  })

  it('are unbiased: their mean over all outcomes is the k-th power of the rate', () => {
    const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k)
    fc.assert(
      fc.property(
        fc.double({ min: 0.05, max: 0.95, noNaN: true }),
        fc.integer({ min: 1, max: 8 }),
        (rate, k) => {
          const runs = 8
          let mean = 0
          for (let passed = 0; passed <= runs; passed++)
            mean +=
              choose(runs, passed) *
              rate ** passed *
              (1 - rate) ** (runs - passed) *
              allOfK({ runs, passed }, k)
          expect(mean).toBeCloseTo(rate ** k, 10)
        },
      ),
    )
  })

  it('are means over the cases with enough runs', () => {
    const cases = [
      { runs: 4, passed: 4 },
      { runs: 4, passed: 2 },
      { runs: 2, passed: 1 },
      { runs: 0, passed: 0 },
    ]
    const [one, two, three, four] = passK(cases)
    expect(one).toEqual({ k: 1, all: 2 / 3, any: 2 / 3, cases: 3 })
    expect(two?.all).toBeCloseTo((1 + 1 / 6 + 0) / 3, 12)
    expect(three).toMatchObject({ k: 3, all: 0.5, any: 1, cases: 2 })
    expect(four).toMatchObject({ k: 4, all: 0.5, any: 1, cases: 2 })
    expect(passK([])).toEqual([])
  })

  it('are reported for a few values of k when there are many runs', () => {
    expect(passK([{ runs: 30, passed: 29 }]).map(({ k }) => k)).toEqual([1, 2, 3, 4, 5, 10, 20, 30])
  })
})
