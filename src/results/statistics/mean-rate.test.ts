import { describe, expect, it } from 'vitest'
import { meanRate } from './mean-rate.ts'
import { wilsonInterval } from './wilson.ts'

/** mulberry32, which gives the same numbers every time. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

describe('meanRate', () => {
  it('is the rate of a single case, with Wilson’s interval', () => {
    expect(meanRate([{ runs: 10, passed: 7 }])).toEqual({ rate: 0.7, ...wilsonInterval(7, 10) })
  })

  it('has an interval up to 1 when all passed, and is undefined without cases', () => {
    expect(
      meanRate([
        { runs: 3, passed: 3 },
        { runs: 7, passed: 7 },
      ]),
    ).toMatchObject({ rate: 1, high: 1 })
    expect(meanRate([])).toBeUndefined()
  })

  it.each([
    [1, 0.9],
    [1, 0.5],
    [5, 0.9],
    [5, 0.97],
  ])('covers the true rate in 95 of 100 samples, with %i runs at %f', (runs, rate) => {
    const random = randomFrom(runs * 1000 + rate * 100)
    const rounds = 1500
    let covered = 0
    for (let round = 0; round < rounds; round++) {
      const cases = Array.from({ length: 60 }, () => ({
        runs,
        passed: Array.from({ length: runs }, random).filter((at) => at < rate).length,
      }))
      const found = meanRate(cases)
      if (found && found.low <= rate && rate <= found.high) covered += 1
    }
    expect(covered / rounds).toBeGreaterThan(0.93)
  })
})
