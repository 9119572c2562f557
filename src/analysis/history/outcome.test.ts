import { describe, expect, it } from 'vitest'
import { failure, historyLine } from './line.fixture.ts'
import { didNotPass, historyOutcome, linePassRate } from './outcome.ts'

describe('the outcome of a run', () => {
  it.each([
    ['passed', {}],
    ['failed', failure],
    ['failed', { runs: 3, passed: 1, failed: 1, unjudged: 1 }],
    ['unjudged', { runs: 2, passed: 1, unjudged: 1 }],
    ['expected', { ...failure, expected_failures: 1 }],
    ['failed', { runs: 2, passed: 0, failed: 2, expected_failures: 1 }],
    ['skipped', { passed: 0, unjudged: 1, skipped: 1 }],
  ] as const)('is %s for %o', (outcome, counts) => {
    expect(historyOutcome(historyLine(counts))).toBe(outcome)
  })

  it('is not passed when the agent or the infrastructure failed, unlike a skip or an expected failure', () => {
    expect(didNotPass(historyLine(failure))).toBe(true)
    expect(didNotPass(historyLine({ passed: 0, unjudged: 1 }))).toBe(true)
    expect(didNotPass(historyLine({ passed: 0, unjudged: 1, skipped: 1 }))).toBe(false)
    expect(didNotPass(historyLine({ ...failure, expected_failures: 1 }))).toBe(false)
  })

  it('has a pass rate of the judged runs, or none', () => {
    expect(linePassRate(historyLine({ runs: 4, passed: 1, failed: 1, unjudged: 2 }))).toBe(50)
    expect(linePassRate(historyLine({ passed: 0, unjudged: 1 }))).toBeUndefined()
  })
})
