import { describe, expect, it } from 'vitest'
import { decide, fixedRuns, hypotheses, leastRuns } from './sequential.ts'

/** Exact: the probability of each number of passes that is still undecided, run by run. */
function chances(question: { gate: number; confidence: number }, rate: number, most: number) {
  let open = new Map([[0, 1]])
  const ended = { reached: 0, missed: 0, undecided: 0, meanRuns: 0 }
  for (let runs = 1; runs <= most; runs++) {
    const next = new Map<number, number>()
    for (const [passed, chance] of open)
      for (const [more, share] of [
        [1, rate],
        [0, 1 - rate],
      ] as const) {
        const decision = decide(question, { runs, passed: passed + more })
        if (decision === 'undecided' && runs < most)
          next.set(passed + more, (next.get(passed + more) ?? 0) + chance * share)
        else {
          ended[decision] += chance * share
          ended.meanRuns += runs * chance * share
        }
      }
    open = next
  }
  return ended
}

describe('the sequential test', () => {
  it.each([
    [0.9, 0.95],
    [0.8, 0.95],
    [0.95, 0.9],
    [0.5, 0.99],
  ])('with gate %f is wrong no more often than its confidence %f allows', (gate, confidence) => {
    const { bad, good } = hypotheses(gate)
    for (const most of [30, 300]) {
      expect(chances({ gate, confidence }, bad, most).reached).toBeLessThanOrEqual(1 - confidence)
      expect(chances({ gate, confidence }, good, most).missed).toBeLessThanOrEqual(1 - confidence)
    }
  })

  it('needs fewer runs than a test with a fixed number when the answer is clear', () => {
    const question = { gate: 0.9, confidence: 0.95 }
    const fixed = fixedRuns(question) ?? 0
    expect(fixed).toBeGreaterThan(40)
    expect(chances(question, 0.8, 30).meanRuns).toBeLessThan(fixed / 2)
    expect(chances(question, 0.97, 30)).toMatchObject({ missed: expect.closeTo(0, 1) })
    expect(chances(question, 0.3, 30).meanRuns).toBeLessThan(4)
  })

  it('knows the minimum number of runs', () => {
    const question = { gate: 0.9, confidence: 0.95 }
    const { reached, missed } = leastRuns(question)
    expect([reached, missed]).toEqual([19, 2])
    expect(decide(question, { runs: reached, passed: reached })).toBe('reached')
    expect(decide(question, { runs: reached - 1, passed: reached - 1 })).toBe('undecided')
    expect(decide(question, { runs: missed, passed: 0 })).toBe('missed')
    expect(decide(question, { runs: missed - 1, passed: 0 })).toBe('undecided')
  })
})
