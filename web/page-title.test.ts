import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countOutcomes, type Outcome, outcomes } from './outcomes.ts'
import { judgeRun, pageTitle, type Verdict } from './page-title.ts'
import type { PageRow, ReportData } from './report-data.ts'
import { createRow } from './row.fixture.ts'

type Summary = ReportData['run']['summary']

/** A report of these rows with a matching summary, unless `summary` says otherwise. */
function createReport(
  rows: readonly PageRow[],
  summary: Partial<Summary> = {},
  agent = 'support',
): ReportData {
  const { failed, broken, unfinished, passed, known } = countOutcomes(rows)
  const exitCode = failed > 0 ? 1 : broken + unfinished > 0 ? 3 : passed + known === 0 ? 2 : 0
  const counted = {
    total: rows.filter(({ retrying }) => !retrying).length,
    interrupted: unfinished,
    not_run: 0,
    exit_code: exitCode,
  }
  return {
    run: { start: { agent_id: agent }, summary: { ...counted, ...summary } } as ReportData['run'],
    rows,
    load: () => Promise.reject(new Error('nothing is opened here')),
    search: async () => {},
  }
}

function cameTo(...all: Outcome[]): ReportData {
  return createReport(all.map((outcome) => createRow({ outcome })))
}

describe('the verdict of a run', () => {
  it('that carried everything over is good', () => {
    expect(judgeRun(createReport([], { carried_over: 3, exit_code: 0 }))).toEqual({
      outcome: 'passed',
      text: 'Nothing was run: everything was carried over',
    })
  })

  it.each<[Outcome[], Verdict]>([
    [[], { outcome: 'broken', text: 'Nothing was run' }],
    [['passed'], { outcome: 'passed', text: 'Passed' }],
    [['failed'], { outcome: 'failed', text: 'The only result failed' }],
    [['broken'], { outcome: 'broken', text: 'The only result could not be judged' }],
    [['passed', 'passed'], { outcome: 'passed', text: 'All 2 passed' }],
    [
      ['passed', 'failed', 'broken', 'unfinished'],
      { outcome: 'failed', text: '1 of 4 failed, 1 could not be judged' },
    ],
    [['passed', 'failed', 'unfinished'], { outcome: 'failed', text: '1 of 3 failed' }],
    [['passed', 'broken', 'unfinished'], { outcome: 'broken', text: '1 of 3 could not be judged' }],
    [['passed', 'unfinished'], { outcome: 'broken', text: '1 of 2 did not finish' }],
    [['skipped', 'skipped'], { outcome: 'broken', text: 'Nothing could be judged' }],
    [['passed', 'known', 'skipped'], { outcome: 'passed', text: '1 of 3 passed, none failed' }],
  ])('for %j is %j', (all, verdict) => {
    expect(judgeRun(cameTo(...all))).toEqual(verdict)
  })

  it('lets gates decide how many may fail, but only if viva exited with 0', () => {
    const gates = [{ gate: 'suite', required: 0.5, status: 'reached' }] as const
    const rows = [createRow({ outcome: 'passed' }), createRow({ outcome: 'failed' })]
    const verdict = (exitCode: number) =>
      judgeRun(createReport(rows, { gates: [...gates], exit_code: exitCode }))
    expect(verdict(0)).toEqual({ outcome: 'passed', text: 'Gates reached, 1 of 2 passed' })
    expect(verdict(1)).toEqual({ outcome: 'failed', text: '1 of 2 failed' })
  })

  it('never says that the only result passed if it did not', () => {
    expect(judgeRun(cameTo('known')).text).not.toMatch(/^The only result passed/)
  })

  it.each([
    [4, 0],
    [3, 1],
    [0, 4],
  ])('counts %d results that were not run and %d that were interrupted', (notRun, interrupted) => {
    const summary = { total: 5, not_run: notRun, interrupted, exit_code: 3 }
    expect(judgeRun(createReport([createRow()], summary))).toEqual({
      outcome: 'broken',
      text: '4 of 5 did not finish',
    })
  })

  it('does not count attempts that were retried', () => {
    const rows = [createRow({ outcome: 'failed', retrying: true }), createRow({ attempt: 2, flaky: true })]
    expect(judgeRun(createReport(rows))).toEqual({ outcome: 'passed', text: 'Passed' })
  })

  it('is never green if viva did not exit with 0', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...outcomes)), fc.integer({ min: 1, max: 3 }), (all, exitCode) => {
        const rows = all.map((outcome) => createRow({ outcome }))
        expect(judgeRun(createReport(rows, { exit_code: exitCode })).outcome).not.toBe('passed')
      }),
    )
  })

  it('has the exit code if the results do not explain it', () => {
    expect(judgeRun(createReport([createRow(), createRow()], { exit_code: 3 }))).toEqual({
      outcome: 'broken',
      text: 'All 2 passed, but viva exited with 3',
    })
  })

  it('has separators in large numbers', () => {
    const many = Array.from({ length: 1234 }, (): Outcome => 'passed')
    expect(judgeRun(cameTo(...many)).text).toBe('All 1,234 passed')
    expect(judgeRun(cameTo(...many, 'failed')).text).toBe('1 of 1,235 failed')
  })
})

describe('the title of the page', () => {
  it('has the verdict and the agent', () => {
    expect(pageTitle(cameTo('passed', 'failed'))).toBe('1 of 2 failed · support · viva')
  })

  it('has the name of the agent on one line, shortened', () => {
    expect(pageTitle(createReport([createRow()], {}, 'my\nagent'))).toBe('Passed · my ⏎ agent · viva')
    expect(pageTitle(createReport([createRow()], {}, 'x'.repeat(100)))).toBe(
      `Passed · ${'x'.repeat(60)}… · viva`,
    )
  })
})
