import { defined, type Undefinable } from '../json/defined.ts'
import { camelKeys, snakeKeys } from '../json/key-case.ts'
import type { CheckLine, MessageLine, ToolCallLine, TurnFields, TurnLine } from './line-schema.ts'
import { type CheckResult, fails } from './transcript/check-result.ts'
import type { Message, ToolCall } from './transcript/message.ts'
import type { Reply } from './transcript/reply.ts'
import type { Simulated, Turn } from './transcript/turn.ts'

/** The reasons of checks that did not pass, one line each. */
export function assertionErrors(checks: readonly CheckResult[]): string[] {
  return checks.filter(fails).map((check) => check.reason)
}

/** A turn in the line of a result with several turns, and in its event. */
export function turnToLine(turn: Turn): TurnLine {
  const failed =
    turn.error !== undefined || turn.unevaluated !== undefined || assertionErrors(turn.checks).length > 0
  return defined({
    turn: turn.number,
    ...defined(turnFields(turn)),
    status: failed ? 'failed' : 'passed',
    error: turn.error,
    duration_ms: Math.round(turn.durationMs),
  })
}

/** Every turn has the same fields, though some are undefined: so they are cheap to create. */
export function turnFields(turn: Turn): Required<Undefinable<TurnFields>> {
  const { input, reply } = turn
  const { content, name } = input.message
  const plainInput = typeof input.value === 'string' && content === input.value && name === undefined
  const failures = assertionErrors(turn.checks)
  return {
    input: input.value,
    input_source: turn.source,
    description: turn.description,
    simulator: turn.simulated && simulatedToLine(turn.simulated),
    message: plainInput ? undefined : messageToLine(input.message),
    output: reply?.output,
    response: reply?.content,
    messages: reply && !isPlain(reply) ? reply.messages.map(messageToLine) : undefined,
    tool_calls: reply && toolCallsToLine(reply.toolCalls),
    last_user_tool_calls: turn.lastUserCalls?.map(toolCallToLine),
    awaiting_input: turn.awaiting.awaiting,
    awaiting_reason: turn.awaiting.reason,
    awaiting_match: turn.awaiting.match,
    awaiting_declared: reply?.awaitingInput,
    input_hint: reply?.inputHint,
    finish_reason: reply?.finishReason,
    connector: reply?.connector,
    tokens: reply?.usage && snakeKeys(reply.usage),
    reply_ms: Math.round(turn.durationMs),
    assertions: mapToLines(turn.checks, checkToLine),
    assertion_errors: failures.length === 0 ? undefined : failures,
    assertions_not_evaluated: turn.unevaluated,
  }
}

/** Undefined instead of an empty list. */
export function mapToLines<T, Line>(items: readonly T[], toLine: (item: T) => Line): Line[] | undefined {
  return items.length === 0 ? undefined : items.map(toLine)
}

export function turnFromLine(line: TurnLine): Turn {
  return turnFromFields(line, line.turn, line)
}

export function turnFromFields(
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
    simulated: fields.simulator && simulatedFromLine(fields.simulator),
    input: { value: fields.input, message },
    reply: replyFromFields(fields),
    error: fields.awaiting_reason === 'no_reply' ? (rest.error ?? undefined) : undefined,
    checks: (fields.assertions ?? []).map(checkFromLine),
    unevaluated: fields.assertions_not_evaluated,
    lastUserCalls: fields.last_user_tool_calls?.map(toolCallFromLine),
    awaiting: defined(awaiting),
    durationMs: fields.reply_ms ?? rest.duration_ms,
  })
}

function replyFromFields(fields: TurnFields): Reply | undefined {
  if (fields.response === undefined) return undefined
  return defined({
    output: fields.output,
    content: fields.response,
    messages: fields.messages?.map(messageFromLine) ?? [plainMessage(fields.response)],
    toolCalls: toolCallsFromLine(fields.tool_calls) ?? [],
    awaitingInput: fields.awaiting_declared,
    inputHint: fields.input_hint,
    finishReason: fields.finish_reason,
    connector: fields.connector,
    usage: fields.tokens && defined(camelKeys(fields.tokens)),
  })
}

function simulatedToLine({ toolCalls, ...simulated }: Simulated): TurnFields['simulator'] {
  return defined({ ...simulated, tool_calls: toolCalls && toolCallsToLine(toolCalls) })
}

function simulatedFromLine({ tool_calls, ...simulated }: NonNullable<TurnFields['simulator']>): Simulated {
  return defined({ ...simulated, toolCalls: toolCallsFromLine(tool_calls) })
}

function toolCallsToLine(calls: ToolCall[] | 'hidden'): ToolCallLine[] | 'hidden' | undefined {
  return calls === 'hidden' ? calls : mapToLines(calls, toolCallToLine)
}

function toolCallsFromLine(calls: ToolCallLine[] | 'hidden' | undefined): ToolCall[] | 'hidden' | undefined {
  return calls === 'hidden' ? calls : calls?.map(toolCallFromLine)
}

function isPlain(reply: Reply): boolean {
  const [message, ...others] = reply.messages
  if (message === undefined || others.length > 0) return false
  const { role, content } = message
  return role === 'assistant' && content === reply.content && !hasMore(message)
}

function plainMessage(content: string): Message {
  return { role: 'assistant', content }
}

function hasMore({ name, toolCalls, toolCallId }: Message): boolean {
  return name !== undefined || toolCalls !== undefined || toolCallId !== undefined
}

export function messageToLine(message: Message): MessageLine {
  const { role, content, name, toolCalls, toolCallId } = message
  if (!hasMore(message)) return { role, content }
  const rest = defined({ name, tool_calls: toolCalls?.map(toolCallToLine), tool_call_id: toolCallId })
  return { role, content, ...rest }
}

export function messageFromLine({ role, content, name, tool_calls, tool_call_id }: MessageLine): Message {
  const rest = defined({ name, toolCalls: tool_calls?.map(toolCallFromLine), toolCallId: tool_call_id })
  return { role, content, ...rest }
}

function toolCallToLine({ arguments: args, ...call }: ToolCall): ToolCallLine {
  return { ...call, args }
}

function toolCallFromLine({ args, ...call }: ToolCallLine): ToolCall {
  return { ...defined(call), id: call.id ?? '', arguments: args }
}

export function checkToLine(check: CheckResult): CheckLine {
  const { fields, type, gates, status, reason, expected, actual, score, details } = check
  const line: CheckLine = { type, reason, passed: status === 'passed', status }
  if (expected !== undefined) line.expected = expected
  if (actual !== undefined) line.actual = actual
  if (score !== undefined) line.score = score
  if (details !== undefined) line.details = details
  if (!gates) line.gates = false
  // Not by spreading: a literal that begins with a spread has a shape of its own, which costs more than the object.
  for (const name in fields) if (!Object.hasOwn(line, name)) line[name] = fields[name]
  return line
}

export function checkFromLine(line: CheckLine): CheckResult {
  const { type, passed: _, status, reason, expected, actual, score, details, gates, ...fields } = line
  return {
    type,
    status,
    gates: gates ?? true,
    reason,
    ...defined({ expected, actual, score, details }),
    fields,
  }
}
