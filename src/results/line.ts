import { defined, emptyToUndefined } from '../json/defined.ts'
import { checkpointHolds } from './checkpoint.ts'
import type { CheckpointLine, ResultLine, ScriptLine, TurnFields } from './line-schema.ts'
import { mainConnector } from './main-connector.ts'
import type { CaseResult, CheckpointResult, ScriptOutcome } from './result.ts'
import { computeScore } from './score.ts'
import { playedTurns, skippedTurn } from './skipped-turn.ts'
import { countMessagesGiven } from './transcript/turn.ts'
import {
  checkFromLine,
  checkToLine,
  messageFromLine,
  messageToLine,
  turnFromFields,
  turnFromLine,
  turnToFields,
  turnToLine,
} from './turn-line.ts'
import { totalCost } from './usage.ts'
import { usageFromLine, usageToLine } from './usage-line.ts'

/** A result as one line of the journal. `fromLine` is the inverse. */
export function resultToLine(result: CaseResult): ResultLine {
  const { key, view, failure } = result
  const [turn] = view.turns
  const skipped = result.status === 'skipped'
  return defined({
    type: 'result',
    ...key,
    kind: result.script === undefined ? undefined : 'script',
    name: result.name,
    line: result.line,
    tags: emptyToUndefined(result.tags),
    status: result.status,
    fault: result.fault,
    error_kind: failure?.kind,
    error: skipped ? undefined : failure?.message,
    skip_reason: skipped ? failure?.message : undefined,
    mode: result.singleTurn ? 'single_turn' : 'multi_turn',
    history: emptyToUndefined(view.history.map(messageToLine)),
    ...(result.singleTurn && turn ? turnToFields(turn) : {}),
    connector: mainConnector(view),
    expected: result.expected,
    messages_count: result.script === undefined ? countMessagesGiven(view) : undefined,
    turns: result.singleTurn ? undefined : turnsToLines(result),
    total_turns: view.turns.length,
    script: result.script && scriptToLine(result.script),
    final_assertions: emptyToUndefined(result.finals.map(checkToLine)),
    final_assertions_not_evaluated: emptyToUndefined(result.unevaluated),
    checkpoints: emptyToUndefined(result.checkpoints.map(checkpointToLine)),
    score: computeScore(result),
    expected_failure: result.expectedFailure,
    retrying: result.retrying,
    flaky: result.flaky,
    unchecked: result.unchecked || undefined,
    termination: result.termination,
    usage: emptyToUndefined(usageToLine(result.usage)),
    cost: totalCost(result.usage),
    logs: emptyToUndefined(result.logs),
    session_id: result.sessionId,
    case_hash: result.caseHash,
    started_at: result.startedAt,
    duration_ms: Math.round(result.durationMs),
  })
}

function turnsToLines(result: CaseResult): ResultLine['turns'] {
  const skipped = skippedTurn(result)
  return [...result.view.turns.map(turnToLine), ...(skipped ? [skipped] : [])]
}

export function resultFromLine(line: ResultLine): CaseResult {
  const singleTurn = line.mode === 'single_turn'
  const only =
    singleTurn && line.input_source !== undefined ? [turnFromFields(line as TurnFields, 1, line)] : []
  const message = line.error ?? line.skip_reason
  return defined({
    key: { file: line.file, id: line.id, variant: line.variant, run: line.run, attempt: line.attempt },
    caseHash: line.case_hash,
    name: line.name,
    tags: line.tags ?? [],
    line: line.line,
    status: line.status,
    fault: line.fault,
    failure: line.error_kind === undefined ? undefined : { kind: line.error_kind, message: message ?? '' },
    termination: line.termination,
    singleTurn,
    view: {
      history: (line.history ?? []).map(messageFromLine),
      turns: line.turns ? playedTurns(line).map(turnFromLine) : only,
    },
    finals: (line.final_assertions ?? []).map(checkFromLine),
    unevaluated: line.final_assertions_not_evaluated ?? [],
    expected: line.expected,
    script: line.script && scriptFromLine(line.script),
    checkpoints: (line.checkpoints ?? []).map(checkpointFromLine),
    unchecked: line.unchecked ?? false,
    expectedFailure: line.expected_failure,
    retrying: line.retrying,
    flaky: line.flaky,
    logs: line.logs ?? [],
    sessionId: line.session_id,
    usage: usageFromLine(line.usage),
    startedAt: line.started_at,
    durationMs: line.duration_ms,
  })
}

function scriptToLine({ assertions, subtests }: ScriptOutcome): ScriptLine {
  const lines = subtests.map(({ name, status, durationMs, reason }) => ({
    name,
    status,
    duration_ms: Math.round(durationMs),
    ...defined({ reason }),
  }))
  return { assertions, ...defined({ subtests: emptyToUndefined(lines) }) }
}

function scriptFromLine({ assertions, subtests = [] }: ScriptLine): ScriptOutcome {
  return {
    assertions,
    subtests: subtests.map(({ name, status, duration_ms, reason }) => ({
      name,
      status,
      durationMs: duration_ms,
      ...defined({ reason }),
    })),
  }
}

function checkpointToLine(checkpoint: CheckpointResult): CheckpointLine {
  const { id, description, required, forbidden, turn, after, status, reason } = checkpoint
  return {
    id,
    ...defined({ description, reached_at_turn: turn, after: after && [...after] }),
    passed: checkpointHolds(checkpoint),
    status,
    reason,
    ...(required || forbidden ? {} : { required: false as const }),
    ...(forbidden ? { forbidden: true as const } : {}),
  }
}

function checkpointFromLine(line: CheckpointLine): CheckpointResult {
  const { id, description, reached_at_turn: turn, after, status, reason, forbidden = false } = line
  const required = line.required ?? !forbidden
  return { id, ...defined({ description, after, turn }), required, forbidden, status, reason }
}
