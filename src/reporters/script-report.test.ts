import { describe, expect, it } from 'vitest'
import { hostile, runStart, runSummary, scriptResult } from './script.fixture.ts'
import { isScriptRun, scriptReportEntry, scriptReportHead } from './script-report.ts'

describe('isScriptRun', () => {
  it('is true only if the run has nothing but script tests', () => {
    expect(isScriptRun(runStart())).toBe(true)
    expect(isScriptRun(runStart({ totalCases: 3 }))).toBe(false)
    expect(isScriptRun(runStart({ scripts: [], totalCases: 0 }))).toBe(false)
    const { scripts: _, ...without } = runStart()
    expect(isScriptRun(without)).toBe(false)
  })
})

describe('the report of script tests', () => {
  it('has the script, the counts and the environment in its head', () => {
    expect(scriptReportHead(runStart(), runSummary())).toEqual({
      type: 'script_test',
      script: 'scripts.expense.setup',
      script_path: 'expense/src/setup_test.ts',
      summary: { total: 2, passed: 2, failed: 0, skipped: 0, duration_ms: 1235 },
      environment: { user_id: 'ada', team_id: 'ops', locale: 'en-us' },
    })
  })

  it('has unusual counts only when they are not zero', () => {
    const counts = { notRun: 1, interrupted: 1, infrastructureErrors: 1, unchecked: 1, flaky: 1 }
    expect(scriptReportHead(runStart(), runSummary(counts))).toMatchObject({
      summary: { not_run: 2, infrastructure_errors: 1, unchecked: 1, flaky: 1 },
    })
  })

  it('says that the results are not of a live run', () => {
    expect(scriptReportHead(runStart(), runSummary({ origin: 'replayed' }))).toMatchObject({
      summary: { origin: 'replayed' },
    })
    expect(scriptReportEntry(scriptResult({ origin: 'replayed' }), false)).toMatchObject({
      origin: 'replayed',
    })
  })

  it('has an entry for every test', () => {
    expect(scriptReportEntry(scriptResult({ logs: ['said'] }), false)).toEqual({
      name: 'TestSetup',
      status: 'passed',
      duration_ms: 12,
      logs: ['said'],
    })
    const { key } = scriptResult()
    expect(
      scriptReportEntry(scriptResult({ key: { ...key, run: 2 }, unchecked: true, flaky: true }), true),
    ).toMatchObject({ script: 'scripts.expense.setup', run: 2, unchecked: true, flaky: true })
  })

  it('says why a test failed or was skipped', () => {
    const failure = { kind: 'http', message: '503' }
    expect(
      scriptReportEntry(scriptResult({ status: 'failed', fault: 'infrastructure', failure }), false),
    ).toMatchObject({
      error: '503',
      fault: 'infrastructure',
    })
    const skipped = scriptReportEntry(scriptResult({ status: 'skipped', failure }), false)
    expect(skipped).toMatchObject({ skip_reason: '503' })
    expect(skipped).not.toHaveProperty('error')
  })

  it('has the first failed assertion, and all of them when there are several', () => {
    const check = (reason: string, message?: string) => ({
      type: 'Equal',
      status: 'failed' as const,
      gates: true,
      reason,
      expected: 1,
      actual: null,
      fields: { at: 'a.ts:1', ...(message === undefined ? {} : { message }) },
    })
    const failed = (finals: ReturnType<typeof check>[]) =>
      scriptReportEntry(scriptResult({ status: 'failed', fault: 'agent', finals }), false)
    const first = { type: 'Equal', expected: 1, actual: null, message: 'mine', at: 'a.ts:1' }
    expect(failed([check('mine: no', 'mine')])).toMatchObject({ assertion: first })
    expect(failed([check('mine: no', 'mine')])).not.toHaveProperty('assertions')
    expect(failed([check('mine: no', 'mine'), check('no')])).toMatchObject({
      assertion: first,
      assertions: [first, { ...first, message: 'no' }],
    })
  })

  it('has subtests when there are any', () => {
    const subtests = [{ name: 'a', status: 'failed' as const, durationMs: 1.6, reason: 'no' }]
    expect(scriptReportEntry(scriptResult({ script: { assertions: 1, subtests } }), false)).toMatchObject({
      subtests: [{ name: 'a', status: 'failed', duration_ms: 2, error: 'no' }],
    })
  })

  it('is valid JSON for hostile texts', () => {
    const { key } = scriptResult()
    const entry = scriptReportEntry(
      scriptResult({
        key: { ...key, id: hostile, file: hostile },
        status: 'failed',
        failure: { kind: 'x', message: hostile },
        logs: [hostile],
      }),
      true,
    )
    const text = JSON.stringify(entry)
    expect(text).not.toMatch(/[\u0000-\u001f]/)
    expect(JSON.parse(text)).toMatchObject({
      name: hostile,
      script: hostile,
      error: hostile,
      logs: [hostile],
    })
  })
})
