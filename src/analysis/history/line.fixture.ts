import { type HistoryLine, historyVersion } from './line.ts'

/** A case with one run that passed. */
export function historyLine(changes: Partial<HistoryLine> = {}): HistoryLine {
  return {
    schema_version: historyVersion,
    time: '2026-01-01T00:00:00.000Z',
    run_id: 'run-1',
    file: 'a.jsonl',
    id: 'T1',
    variant: 'a',
    case_hash: 'h',
    runs: 1,
    passed: 1,
    failed: 0,
    unjudged: 0,
    duration_ms: 10,
    ...changes,
  }
}

export const failure = { passed: 0, failed: 1 }
