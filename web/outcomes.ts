import type { PageRow } from './report-data.ts'

export type Outcome = PageRow['outcome']

/** Outcomes that need attention come first. */
export const outcomes = ['failed', 'broken', 'unfinished', 'known', 'skipped', 'passed'] as const

export const outcomeNames: Record<Outcome, string> = {
  passed: 'passed',
  failed: 'failed',
  broken: 'not the agent’s fault',
  known: 'known failure',
  skipped: 'skipped',
  unfinished: 'not finished',
}

/** Filters in addition to the outcomes. */
export const marks = ['flaky', 'unchecked'] as const
export type Mark = (typeof marks)[number]

export type Status = Outcome | Mark
export const statuses: readonly Status[] = [...outcomes, ...marks]

export function statusName(status: Status): string {
  return status === 'flaky' || status === 'unchecked' ? status : outcomeNames[status]
}

export function hasStatus(row: PageRow, status: Status): boolean {
  return status === 'flaky' || status === 'unchecked' ? row[status] === true : row.outcome === status
}

export function countOutcomes(rows: readonly PageRow[]): Record<Status, number> {
  const counts = {
    failed: 0,
    broken: 0,
    unfinished: 0,
    known: 0,
    skipped: 0,
    passed: 0,
    flaky: 0,
    unchecked: 0,
  }
  for (const row of rows) {
    if (row.retrying) continue
    counts[row.outcome] += 1
    if (row.flaky) counts.flaky += 1
    if (row.unchecked) counts.unchecked += 1
  }
  return counts
}
