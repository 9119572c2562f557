import type { TurnLine } from '../src/results/line-schema.ts'
import type { PageResult } from './report-data.ts'

/** A result of one turn that failed, unless `fields` says otherwise. */
export function createResult(fields: Partial<PageResult> = {}): PageResult {
  return {
    type: 'result',
    file: 'a.jsonl',
    id: 'T1',
    line: 1,
    variant: 'support',
    run: 1,
    attempt: 1,
    status: 'failed',
    mode: 'single_turn',
    input: 'hi',
    input_source: 'initial',
    response: 'hello',
    awaiting_input: false,
    awaiting_reason: 'completed',
    termination: { reason: 'completed', detail: '' },
    total_turns: 1,
    session_id: 's',
    case_hash: 'h',
    started_at: '2026-01-01T00:00:00.000Z',
    duration_ms: 10,
    ...fields,
  }
}

export function createTurn(turn: number, fields: Partial<TurnLine> = {}): TurnLine {
  return {
    turn,
    input: `message ${turn}`,
    input_source: 'static',
    awaiting_input: false,
    awaiting_reason: 'completed',
    status: 'passed',
    duration_ms: 10,
    ...fields,
  }
}
