import { describe, expect, it } from 'vitest'
import { ResultPlan } from './planned-results.ts'
import { caseResult } from './result.fixture.ts'
import type { CaseResult } from './result.ts'
import { summaryToLine } from './summary-line.ts'
import { computeExitCode, Tally } from './tally.ts'

const failure = { status: 'failed', fault: 'agent' } as const

function sumUp(...changes: Partial<CaseResult>[]) {
  const results = changes.map((change, index) =>
    caseResult({ key: { file: 'a.jsonl', id: `T${index}`, variant: 'a', run: 1, attempt: 1 }, ...change }),
  )
  const plan = new ResultPlan()
  for (const { key, caseHash } of results) plan.set(key, caseHash)
  const tally = new Tally(plan)
  for (const result of results) tally.add(result)
  return tally.summary(1)
}

describe('the counts of results that are not of a live run', () => {
  it('have an origin and no pass rate', () => {
    const summary = sumUp({ origin: 'graded' }, { origin: 'graded', ...failure })
    expect(summaryToLine(summary, 1)).toMatchObject({
      passed: 1,
      failed: 1,
      origin: 'graded',
      pass_rate: null,
    })
    expect(summaryToLine(sumUp({}, failure), 1)).toMatchObject({ pass_rate: 50 })
  })

  it('have no pass rate if a single result is not of a live run', () => {
    expect(summaryToLine(sumUp({}, { origin: 'replayed' }), 0).pass_rate).toBeNull()
  })

  it('decide the exit code as those of a live run do', () => {
    const origin = 'replayed'
    expect(computeExitCode(sumUp({ origin }))).toBe(0)
    expect(computeExitCode(sumUp({ origin }, { origin, ...failure }))).toBe(1)
    expect(computeExitCode(sumUp({ origin }, { origin, ...failure, fault: 'infrastructure' }))).toBe(3)
  })
})
