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

/** The same with fields that are undefined. Every line has the same fields, so it is cheap to create. */
export function resultFields(result: CaseResult): Line {
  const line = identifyingFields(result)
  const [first] = result.view.turns
  addTurn(line, result.singleTurn && first ? turnFields(first) : noTurn)
  addConversation(line, result)
  return line
}

type Line = Undefinable<ResultLine>

/** Which case it is, how it ended, and when. */
function identifyingFields(result: CaseResult): Line {
  const { key, failure } = result
  const skipped = result.status === 'skipped'
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
    retrying: result.retrying,
    flaky: result.flaky,
    unchecked: result.unchecked || undefined,
    score: computeScore(result),
    termination: result.termination,
    mode: result.singleTurn ? 'single_turn' : 'multi_turn',
    total_turns: result.view.turns.length,
    session_id: result.sessionId,
    case_hash: result.caseHash,
    started_at: result.startedAt,
    duration_ms: Math.round(result.durationMs),
  }
}

const noTurn: Partial<Undefinable<TurnFields>> = {}

/** One by one: a spread would give every line a shape of its own. */
function addTurn(line: Line, turn: Partial<Undefinable<TurnFields>>): void {
  line.input = turn.input
  line.input_source = turn.input_source
  line.description = turn.description
  line.simulator = turn.simulator
  line.message = turn.message
  line.output = turn.output
  line.response = turn.response
  line.messages = turn.messages
  line.tool_calls = turn.tool_calls
  line.awaiting_input = turn.awaiting_input
  line.awaiting_reason = turn.awaiting_reason
  line.awaiting_match = turn.awaiting_match
  line.awaiting_declared = turn.awaiting_declared
  line.input_hint = turn.input_hint
  line.finish_reason = turn.finish_reason
  line.tokens = turn.tokens
  line.reply_ms = turn.reply_ms
  line.assertions = turn.assertions
  line.assertion_errors = turn.assertion_errors
  line.assertions_not_evaluated = turn.assertions_not_evaluated
}

function addConversation(line: Line, result: CaseResult): void {
  const { view, script } = result
  line.connector = mainConnector(view)
  line.history = mapToLines(view.history, messageToLine)
  line.expected = result.expected
  line.messages_count = script === undefined ? countMessagesGiven(view) : undefined
  line.turns = result.singleTurn ? undefined : turnsToLines(result)
  line.script = script && scriptToLine(script)
  line.final_assertions = mapToLines(result.finals, checkToLine)
  line.final_assertions_not_evaluated = result.unevaluated.length === 0 ? undefined : result.unevaluated
  line.checkpoints = mapToLines(result.checkpoints, checkpointToLine)
  line.usage = usageToLine(result.usage)
  line.cost = totalCost(result.usage)
  line.logs = result.logs.length === 0 ? undefined : result.logs
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
