import { defined, emptyToUndefined, type Undefinable } from '../json/defined.ts'
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
  mapToLines,
  messageFromLine,
  messageToLine,
  turnFields,
  turnFromFields,
  turnFromLine,
  turnToLine,
} from './turn-line.ts'
import { totalCost } from './usage.ts'
import { usageFromLine, usageToLine } from './usage-line.ts'

/** A result as one line of the journal. `resultFromLine` is the inverse. */
export function resultToLine(result: CaseResult): ResultLine {
  return defined(resultFields(result))
}

/**
 * The same with fields that are undefined. Every line has the same fields in one literal, so it is cheap to create: fields
 * that are added later are moved to a larger object again and again.
 */
export function resultFields(result: CaseResult): Undefinable<ResultLine> {
  const { key, failure, view, script } = result
  const skipped = result.status === 'skipped'
  const [first] = view.turns
  const turn = result.singleTurn && first ? turnFields(first) : noTurn
  return {
    type: 'result',
    file: key.file,
    id: key.id,
    variant: key.variant,
    run: key.run,
    attempt: key.attempt,
    kind: result.script === undefined ? undefined : 'script',
    name: result.name,
    line: result.line,
    tags: result.tags.length === 0 ? undefined : result.tags,
    status: result.status,
    fault: result.fault,
    error_kind: failure?.kind,
    error: skipped ? undefined : failure?.message,
    skip_reason: skipped ? failure?.message : undefined,
    expected_failure: result.expectedFailure,
    workers_lost: result.workersLost,
    retrying: result.retrying,
    flaky: result.flaky,
    origin: result.origin,
    unchecked: result.unchecked || undefined,
    score: computeScore(result),
    termination: result.termination,
    mode: result.singleTurn ? 'single_turn' : 'multi_turn',
    total_turns: result.view.turns.length,
    session_id: result.sessionId,
    case_hash: result.caseHash,
    given_hash: result.givenHash,
    fingerprint: result.fingerprint,
    started_at: result.startedAt,
    duration_ms: Math.round(result.durationMs),
    input: turn.input,
    input_source: turn.input_source,
    description: turn.description,
    simulator: turn.simulator,
    message: turn.message,
    output: turn.output,
    response: turn.response,
    messages: turn.messages,
    tool_calls: turn.tool_calls,
    awaiting_input: turn.awaiting_input,
    awaiting_reason: turn.awaiting_reason,
    awaiting_match: turn.awaiting_match,
    awaiting_declared: turn.awaiting_declared,
    input_hint: turn.input_hint,
    finish_reason: turn.finish_reason,
    tokens: turn.tokens,
    reply_ms: turn.reply_ms,
    assertions: turn.assertions,
    assertion_errors: turn.assertion_errors,
    assertions_not_evaluated: turn.assertions_not_evaluated,
    connector: mainConnector(view),
    history: mapToLines(view.history, messageToLine),
    expected: result.expected,
    messages_count: script === undefined ? countMessagesGiven(view) : undefined,
    turns: result.singleTurn ? undefined : turnsToLines(result),
    script: script && scriptToLine(script),
    final_assertions: mapToLines(result.finals, checkToLine),
    final_assertions_not_evaluated: result.unevaluated.length === 0 ? undefined : result.unevaluated,
    checkpoints: mapToLines(result.checkpoints, checkpointToLine),
    usage: usageToLine(result.usage),
    cost: totalCost(result.usage),
    logs: result.logs.length === 0 ? undefined : result.logs,
  }
}

const noTurn: Partial<Undefinable<TurnFields>> = {}

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
    givenHash: line.given_hash,
    fingerprint: line.fingerprint,
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
    workersLost: line.workers_lost,
    retrying: line.retrying,
    flaky: line.flaky,
    origin: line.origin,
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
