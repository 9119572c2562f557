import type { CaseResult } from './result.ts'

/** A plain result that passed. */
export function caseResult(changes: Partial<CaseResult> = {}): CaseResult {
  return {
    key: { file: 'a.jsonl', id: 'T1', variant: 'a', run: 1, attempt: 1 },
    caseHash: 'h',
    tags: [],
    line: 1,
    status: 'passed',
    termination: { reason: 'completed', detail: '' },
    singleTurn: true,
    view: { history: [], turns: [] },
    finals: [],
    unevaluated: [],
    checkpoints: [],
    unchecked: false,
    logs: [],
    sessionId: 's',
    usage: {},
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1,
    ...changes,
  }
}
