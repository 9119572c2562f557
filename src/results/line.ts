import { defined } from '../defined.ts'
import { type CheckResult, fails } from '../transcript/check-result.ts'
import type { Message, ToolCall } from '../transcript/message.ts'
import type { Reply, TokenUsage } from '../transcript/reply.ts'
import { messagesGiven, type Turn } from '../transcript/turn.ts'
import { checkpointHolds } from './checkpoint.ts'
import type {
  CheckLine,
  CheckpointLine,
  MessageLine,
  ResultLine,
  TokensLine,
  ToolCallLine,
  TurnFields,
  TurnLine,
  UsageLines,
} from './line-schema.ts'
import type { CaseResult, CheckpointResult } from './result.ts'
import { scoreOf } from './score.ts'
import { totalCost, type UsageByRole } from './usage.ts'

/** A result as one line of the journal. `fromLine` gives it back. */
export function toLine(result: CaseResult): ResultLine {
  const { key, view, failure } = result
  const [turn] = view.turns
  const skipped = result.status === 'skipped'
  return defined({
    type: 'result',
    ...key,
    name: result.name,
    line: result.line,
    tags: orUndefined(result.tags),
    status: result.status,
    fault: result.fault,
    error_kind: failure?.kind,
    error: skipped ? undefined : failure?.message,
    skip_reason: skipped ? failure?.message : undefined,
    mode: result.singleTurn ? 'single_turn' : 'multi_turn',
    history: orUndefined(view.history.map(messageToLine)),
    ...(result.singleTurn && turn ? turnToFields(turn) : {}),
    expected: result.expected,
    messages_count: messagesGiven(view),
    turns: result.singleTurn ? undefined : view.turns.map(turnToLine),
    total_turns: view.turns.length,
    final_assertions: orUndefined(result.finals.map(checkToLine)),
    final_assertions_not_evaluated: orUndefined(result.unevaluated),
    checkpoints: orUndefined(result.checkpoints.map(checkpointToLine)),
    score: scoreOf(result),
    expected_failure: result.expectedFailure,
    retrying: result.retrying,
    flaky: result.flaky,
    unchecked: result.unchecked || undefined,
    termination: result.termination,
    usage: orUndefined(usageToLine(result.usage)),
    cost: totalCost(result.usage),
    logs: orUndefined(result.logs),
    session_id: result.sessionId,
    case_hash: result.caseHash,
    started_at: result.startedAt,
    duration_ms: Math.round(result.durationMs),
  })
}

export function fromLine(line: ResultLine): CaseResult {
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
      turns: line.turns?.map((turn) => turnFromFields(turn, turn.turn, turn)) ?? only,
    },
    finals: (line.final_assertions ?? []).map(checkFromLine),
    unevaluated: line.final_assertions_not_evaluated ?? [],
    expected: line.expected,
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

/** The reasons of what did not pass, one line each. */
export function assertionErrors(checks: readonly CheckResult[]): string[] {
  return checks.filter(fails).map((check) => check.reason)
}

/** A turn as it stands in a line with several, and in the event of it. */
export function turnToLine(turn: Turn): TurnLine {
  const failed =
    turn.error !== undefined || turn.unevaluated !== undefined || assertionErrors(turn.checks).length > 0
  return defined({
    turn: turn.number,
    ...turnToFields(turn),
    status: failed ? 'failed' : 'passed',
    error: turn.error,
    duration_ms: Math.round(turn.durationMs),
  })
}

function turnToFields(turn: Turn): TurnFields {
  const { input, reply } = turn
  const plainInput = typeof input.value === 'string' && input.message.content === input.value
  return defined({
    input: input.value,
    input_source: turn.source,
    description: turn.description,
    simulator: turn.simulated,
    message: plainInput ? undefined : messageToLine(input.message),
    output: reply?.output,
    response: reply?.content,
    messages: reply && !isPlain(reply) ? reply.messages.map(messageToLine) : undefined,
    tool_calls: toolCallsToLine(reply),
    awaiting_input: turn.awaiting.awaiting,
    awaiting_reason: turn.awaiting.reason,
    awaiting_match: turn.awaiting.match,
    awaiting_declared: reply?.awaitingInput,
    input_hint: reply?.inputHint,
    finish_reason: reply?.finishReason,
    tokens: reply?.usage && tokensToLine(reply.usage),
    reply_ms: Math.round(turn.durationMs),
    assertions: orUndefined(turn.checks.map(checkToLine)),
    assertion_errors: orUndefined(assertionErrors(turn.checks)),
    assertions_not_evaluated: turn.unevaluated,
  })
}

function turnFromFields(
  fields: TurnFields,
  number: number,
  rest: { error?: string | null | undefined; duration_ms: number },
): Turn {
  const message: Message = fields.message
    ? messageFromLine(fields.message)
    : { role: 'user', content: fields.input }
  const awaiting = {
    awaiting: fields.awaiting_input,
    reason: fields.awaiting_reason,
    match: fields.awaiting_match,
  }
  return defined({
    number,
    source: fields.input_source,
    description: fields.description,
    simulated: fields.simulator && defined(fields.simulator),
    input: { value: fields.input, message },
    reply: replyFromFields(fields),
    error: fields.awaiting_reason === 'no_reply' ? (rest.error ?? undefined) : undefined,
    checks: (fields.assertions ?? []).map(checkFromLine),
    unevaluated: fields.assertions_not_evaluated,
    awaiting: defined(awaiting),
    durationMs: fields.reply_ms ?? rest.duration_ms,
  })
}

function replyFromFields(fields: TurnFields): Reply | undefined {
  if (fields.response === undefined) return undefined
  const toolCalls =
    fields.tool_calls === 'hidden' ? 'hidden' : (fields.tool_calls ?? []).map(toolCallFromLine)
  return defined({
    output: fields.output,
    content: fields.response,
    messages: fields.messages?.map(messageFromLine) ?? [plainMessage(fields.response)],
    toolCalls,
    awaitingInput: fields.awaiting_declared,
    inputHint: fields.input_hint,
    finishReason: fields.finish_reason,
    usage: fields.tokens && tokensFromLine(fields.tokens),
  })
}

function tokensToLine(usage: TokenUsage): TokensLine {
  return defined({
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cached_tokens: usage.cachedTokens,
    cost: usage.cost,
  })
}

function tokensFromLine(tokens: TokensLine): TokenUsage {
  return defined({
    inputTokens: tokens.input_tokens,
    outputTokens: tokens.output_tokens,
    cachedTokens: tokens.cached_tokens,
    cost: tokens.cost,
  })
}

function toolCallsToLine(reply: Reply | undefined): ToolCallLine[] | 'hidden' | undefined {
  if (reply === undefined) return undefined
  return reply.toolCalls === 'hidden' ? 'hidden' : orUndefined(reply.toolCalls.map(toolCallToLine))
}

function isPlain(reply: Reply): boolean {
  return JSON.stringify(reply.messages) === JSON.stringify([plainMessage(reply.content)])
}

function plainMessage(content: string): Message {
  return { role: 'assistant', content }
}

function messageToLine({ role, content, name, toolCalls, toolCallId }: Message): MessageLine {
  const rest = defined({ name, tool_calls: toolCalls?.map(toolCallToLine), tool_call_id: toolCallId })
  return { role, content, ...rest }
}

function messageFromLine({ role, content, name, tool_calls, tool_call_id }: MessageLine): Message {
  const rest = defined({ name, toolCalls: tool_calls?.map(toolCallFromLine), toolCallId: tool_call_id })
  return { role, content, ...rest }
}

function toolCallToLine({ arguments: args, ...call }: ToolCall): ToolCallLine {
  return { ...call, args }
}

function toolCallFromLine({ args, ...call }: ToolCallLine): ToolCall {
  return { ...defined(call), id: call.id ?? '', arguments: args }
}

function checkToLine(check: CheckResult): CheckLine {
  const { fields, gates, status, nothingThere: _, ...rest } = check
  return {
    ...fields,
    ...rest,
    passed: status === 'passed',
    status,
    ...(gates ? {} : { gates: false }),
  } as CheckLine
}

function checkFromLine(line: CheckLine): CheckResult {
  const { type, passed: _, status, reason, expected, actual, score, gates, ...fields } = line
  return { type, status, gates: gates ?? true, reason, ...defined({ expected, actual, score }), fields }
}

function checkpointToLine(checkpoint: CheckpointResult): CheckpointLine {
  const { id, description, required, forbidden, turn, status, reason } = checkpoint
  return {
    id,
    ...defined({ description, reached_at_turn: turn }),
    passed: checkpointHolds(checkpoint),
    status,
    reason,
    ...(required || forbidden ? {} : { required: false as const }),
    ...(forbidden ? { forbidden: true as const } : {}),
  }
}

function checkpointFromLine(line: CheckpointLine): CheckpointResult {
  const { id, description, reached_at_turn: turn, status, reason, forbidden = false } = line
  const required = line.required ?? !forbidden
  return { id, ...defined({ description, turn }), required, forbidden, status, reason }
}

export function usageToLine(usage: UsageByRole): UsageLines {
  const entries = Object.entries(usage).map(([role, { calls, retries, unpricedCalls, ...tokens }]) => [
    role,
    { calls, retries, ...tokensToLine(tokens), ...defined({ unpriced_calls: unpricedCalls }) },
  ])
  return Object.fromEntries(entries)
}

export function usageFromLine(usage: UsageLines = {}): UsageByRole {
  const entries = Object.entries(usage).map(([role, { calls, retries, unpriced_calls, ...tokens }]) => [
    role,
    { calls, retries, ...tokensFromLine(tokens), ...defined({ unpricedCalls: unpriced_calls }) },
  ])
  return Object.fromEntries(entries)
}

function orUndefined<T extends object>(list: T | undefined): T | undefined {
  return list !== undefined && Object.keys(list).length > 0 ? list : undefined
}
