import { describe, expect, it } from 'vitest'
import { caseResult } from '../../results/result.fixture.ts'
import type { CaseResult } from '../../results/result.ts'
import { RunLines } from './run-lines.ts'

const run = { time: '2026-01-01T00:00:00.000Z', run_id: 'run-1' }

function collectLines(...results: Partial<CaseResult>[]) {
  const lines = new RunLines()
  for (const [index, changes] of results.entries()) {
    const key = { file: 'a.jsonl', id: 'T1', variant: 'a', run: index + 1, attempt: 1 }
    lines.add(caseResult({ key, ...changes }))
  }
  return [...lines.lines(run)]
}

const failed = { status: 'failed', fault: 'agent' } as const

describe('RunLines', () => {
  it('has the fingerprint that all results of a case have', () => {
    const seen = { fingerprint: '0123456789abcdef' }
    const fingerprints = (...results: Partial<CaseResult>[]) =>
      collectLines(...results).map(({ fingerprint }) => fingerprint)
    expect(fingerprints(seen, seen)).toEqual(['0123456789abcdef'])
    expect(fingerprints(seen, {})).toEqual([undefined])
    expect(fingerprints({}, seen)).toEqual([undefined])
    expect(fingerprints(seen, { fingerprint: 'fedcba9876543210' }, seen)).toEqual([undefined])
    const lines = new RunLines()
    lines.add(caseResult(seen))
    expect([...lines.lines(run, { withFingerprints: false })][0]).not.toHaveProperty('fingerprint')
  })

  it('makes one line per case and variant', () => {
    const other = { file: 'a.jsonl', id: 'T1', variant: 'b', run: 1, attempt: 1 }
    const lines = collectLines({ durationMs: 10 }, { ...failed, durationMs: 21 }, { key: other })
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

  it('counts skips and expected failures separately', () => {
    const [line] = collectLines(
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

  it('has the mean cost if that of every run is known', () => {
    const agent = (cost: number) => ({ usage: { agent: { calls: 1, retries: 0, cost } } })
    expect(collectLines(agent(0.25), agent(0.75))).toMatchObject([{ cost: 0.5 }])
    const unpriced = { usage: { agent: { calls: 1, retries: 0, unpricedCalls: 1 } } }
    expect(collectLines(agent(0.25), unpriced)[0]).not.toHaveProperty('cost')
    expect(collectLines({})[0]).not.toHaveProperty('cost')
  })

  it('ignores results that did not finish', () => {
    expect(collectLines({ status: 'interrupted' }, { status: 'not_run' })).toEqual([])
    expect(collectLines({}, { status: 'not_run' })).toMatchObject([{ runs: 1, passed: 1 }])
  })

  it('counts the last attempt of a case, even if the run ended before its retry', () => {
    const key = (attempt: number) => ({ file: 'a.jsonl', id: 'T1', variant: 'a', run: 1, attempt })
    const first = { ...failed, key: key(1), retrying: true }
    expect(collectLines(first, { key: key(2), flaky: true })).toMatchObject([
      { runs: 1, passed: 1, flaky: 1 },
    ])
    expect(collectLines(first)).toMatchObject([{ runs: 1, failed: 1 }])
    expect(collectLines(first, { key: key(2), status: 'interrupted' })).toEqual([])
  })
})
