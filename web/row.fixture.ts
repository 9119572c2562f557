import type { PageRow } from './report-data.ts'

/** A row of a case that passed, unless `fields` says otherwise. */
export function createRow(fields: Partial<PageRow> = {}): PageRow {
  return {
    file: 'a.jsonl',
    id: 'T1',
    variant: 'support@large',
    run: 1,
    attempt: 1,
    outcome: 'passed',
    turns: 1,
    durationMs: 100,
    ...fields,
  }
}
