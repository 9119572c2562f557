import { describe, expect, it } from 'vitest'
import type { CaseEntry } from '../../cases/entry.ts'
import { caseResult } from '../../results/result.fixture.ts'
import type { CaseResult } from '../../results/result.ts'
import type { RunStart, RunSummary } from '../../results/summary.ts'
import { SessionRecord } from './session-record.ts'

const key = (id: string, run = 1) => ({ file: 'a.jsonl', id, variant: 'v', run, attempt: 1 })
const failed = (id: string, run = 1): Partial<CaseResult> => ({
  key: key(id, run),
  status: 'failed',
  fault: 'agent',
})
const usage = (cost: number) => ({ agent: { calls: 1, retries: 0, cost } })
const entries = ['one', 'two', 'three'].map((id) => ({ file: 'a.jsonl', id }) as CaseEntry)

function play(record: SessionRecord, results: Partial<CaseResult>[], spent?: number): void {
  record.reporter.on?.({ type: 'run_started', start: {} as RunStart })
  for (const result of results) record.reporter.on?.({ type: 'case_finished', result: caseResult(result) })
  if (spent === undefined) return
  const summary = { usage: usage(spent) } as unknown as RunSummary
  record.reporter.on?.({ type: 'run_finished', summary, exitCode: 0 })
}

const failedIds = (record: SessionRecord) => record.failedOf(entries, (value) => value).map(({ id }) => id)

describe('what a session has found', () => {
  it('a case that failed is failed until it has passed', () => {
    const record = new SessionRecord()
    expect(record.hasFailed()).toBe(false)
    play(record, [failed('one'), failed('two'), { key: key('three') }])
    expect(failedIds(record)).toEqual(['one', 'two'])
    play(record, [{ key: key('one') }])
    expect(failedIds(record)).toEqual(['two'])
    play(record, [{ key: key('two') }])
    expect(record.hasFailed()).toBe(false)
  })

  it('one failure of several runs is enough, and results that did not finish change nothing', () => {
    const record = new SessionRecord()
    play(record, [failed('one', 1), { key: key('one', 2) }])
    play(record, [{ key: key('one'), status: 'interrupted' }])
    play(record, [{ ...failed('two'), retrying: true }])
    expect(failedIds(record)).toEqual(['one'])
  })
})

describe('what a session has spent', () => {
  it('is the sum of all runs, also of one that has not ended', () => {
    const record = new SessionRecord()
    expect(record.spent()).toBeUndefined()
    play(record, [{ usage: usage(0.5) }], 0.75)
    expect(record.spent()).toBe('$0.75')
    play(record, [{ usage: usage(0.25) }, { usage: usage(0.25) }])
    expect(record.spent()).toBe('$1.25')
  })
})
