import { describe, expect, it } from 'vitest'
import { caseResult } from '../../results/result.fixture.ts'
import type { CaseResult } from '../../results/result.ts'
import { RunLines } from './run-lines.ts'

const run = { time: '2026-01-01T00:00:00.000Z', run_id: 'run-1' }

function linesOf(...results: Partial<CaseResult>[]) {
  const lines = new RunLines()
  for (const [index, changes] of results.entries()) {
    const key = { file: 'a.jsonl', id: 'T1', variant: 'a', run: index + 1, attempt: 1 }
    lines.add(caseResult({ key, ...changes }))
  }
  return lines.lines(run)
}

const failed = { status: 'failed', fault: 'agent' } as const

describe('what is kept of a run', () => {
  it('is a line a case and variant', () => {
    const other = { file: 'a.jsonl', id: 'T1', variant: 'b', run: 1, attempt: 1 }
    const lines = linesOf({ durationMs: 10 }, { ...failed, durationMs: 21 }, { key: other })
    expect(lines).toEqual([
      {
        schema_version: 1,
        ...run,
        file: 'a.jsonl',
        id: 'T1',
        variant: 'a',
        case_hash: 'h',
        runs: 2,
        passed: 1,
        failed: 1,
        unjudged: 0,
        duration_ms: 16,
      },
      expect.objectContaining({ variant: 'b', runs: 1, passed: 1 }),
    ])
  })

  it('tells skips and expected failures from what went wrong', () => {
    const [line] = linesOf(
      { status: 'skipped' },
      { status: 'skipped', fault: 'infrastructure' },
      { status: 'failed', fault: 'infrastructure' },
      { ...failed, expectedFailure: 'later' },
    )
    expect(line).toMatchObject({
      runs: 4,
      passed: 0,
      failed: 1,
      expected_failures: 1,
      unjudged: 3,
      skipped: 1,
    })
  })

  it('has what one run cost, where that is known of all of them', () => {
    const agent = (cost: number) => ({ usage: { agent: { calls: 1, retries: 0, cost } } })
    expect(linesOf(agent(0.25), agent(0.75))).toMatchObject([{ cost: 0.5 }])
    const unpriced = { usage: { agent: { calls: 1, retries: 0, unpricedCalls: 1 } } }
    expect(linesOf(agent(0.25), unpriced)[0]).not.toHaveProperty('cost')
    expect(linesOf({})[0]).not.toHaveProperty('cost')
  })

  it('leaves out what did not finish', () => {
    expect(linesOf({ status: 'interrupted' }, { status: 'not_run' })).toEqual([])
    expect(linesOf({}, { status: 'not_run' })).toMatchObject([{ runs: 1, passed: 1 }])
  })

  it('counts the last attempt of a case, also where the run ended before the next one', () => {
    const key = (attempt: number) => ({ file: 'a.jsonl', id: 'T1', variant: 'a', run: 1, attempt })
    const first = { ...failed, key: key(1), retrying: true }
    expect(linesOf(first, { key: key(2), flaky: true })).toMatchObject([{ runs: 1, passed: 1, flaky: 1 }])
    expect(linesOf(first)).toMatchObject([{ runs: 1, failed: 1 }])
    expect(linesOf(first, { key: key(2), status: 'interrupted' })).toEqual([])
  })
})
