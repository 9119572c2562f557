import { AgentError, type InfrastructureError } from '../../../errors.ts'
import { parseJson } from '../../../json/json.ts'
import { scanJson } from '../../../json/scan-json.ts'
import { createReportedError, readRefusal, readReportedStatus } from '../../../models/http-errors.ts'
import { asData, asText } from '../../../models/json.ts'
import { type AnsweredRequest, createBadResponseError } from '../../../models/read-answer.ts'
import type { Faults } from '../../../project/config-schema.ts'
import type { Data, Message } from '../../../results/transcript/message.ts'
import type { Reply } from '../../../results/transcript/reply.ts'
import type { Turn } from '../../../results/transcript/turn.ts'
import type { Context, Disclosure } from '../../../scope/context.ts'
import type { TurnRequest } from '../../agent.ts'
import { isAgentFault } from '../status-fault.ts'

/**
 * A protocol that HTTP agents speak: how a turn is sent, and how the answer is read. A session remembers nothing: what
 * a later turn needs of an answer (state, interrupts, ids) is in `raw` of its reply, which recordings keep.
 */
export interface HttpFormat {
  /** The body of the request, before `body` of the config is merged with it. */
  createBody(turn: FormatTurn): Data
  createReader(sent: FormatRequest): FormatReader
  /** How servers of this format show what they may leave out. */
  disclosure: Disclosure
  /** Whether the agent at this URL remembers the conversation, so that only the new message is sent. */
  keepsHistory?(address: string): boolean
}

/** The turn to send, with the whole conversation before it. */
export interface FormatTurn extends TurnRequest {
  context: Context
  /** The URL of the config. */
  address: string
  /** `body` of the config, which replaces fields of the format. */
  own: Data
}

/** The request, as far as reading its answer needs it. */
export interface FormatRequest extends AnsweredRequest {
  faults: Faults | undefined
  /** The body that was sent. */
  body: Data
  /** The turns before, whose replies an answer may repeat or continue. */
  turns: readonly Turn[]
}

/** Reads one answer: the events of a stream, or a JSON object. */
export interface FormatReader {
  /** Returns whether the event is one of the protocol. */
  add(event: FormatEvent): boolean
  /** Absent if the protocol has only streams. */
  addWhole?(answer: Data): void
  /** Whether nothing more is expected. */
  isEnded(): boolean
  /** Whether a stream that ends here is a whole answer. `mayBeCut`: the connection may have broken. */
  isComplete(mayBeCut: boolean): boolean
  /** Whether the answer is over unless something follows, as if its end marker were missing. */
  isFinished?(): boolean
  /** The text so far, for messages. */
  text(): string
  /** The tool whose arguments are still being written: an answer that ends here is cut off. */
  openTool(): string | undefined
  /** The tools that were called so far, for messages, and because they must not be called again. */
  calledTools(): string[]
  buildReply(): Reply
}

/** Several formats have it, so it does not show which one a stream has. */
export const endMarker = '[DONE]'

export interface FormatEvent {
  /** `message` when the server names none. */
  event: string
  /** Parsed JSON. */
  data: unknown
}

/** The names of the tools that messages have calls or results of. */
export function calledToolNames(messages: readonly Message[]): string[] {
  return messages.flatMap(({ role, name, toolCalls = [], toolCallId = 'unknown' }) =>
    role === 'tool' ? [name ?? toolCallId] : toolCalls.map((call) => call.name),
  )
}

/** Whether the arguments of a call are text that ends within its JSON. Other text that is not JSON is the model's own. */
function isCutShort(argumentsOfCall: unknown): boolean {
  const text = asText(argumentsOfCall) ?? ''
  return text.trim() !== '' && parseJson(text) === undefined && scanJson(text, 0).truncated
}

/** The tool of the call whose arguments end within their JSON. */
export function findCutCall(calls: readonly { name?: unknown; arguments?: unknown }[]): string | undefined {
  const cut = calls.find((call) => isCutShort(call.arguments))
  return cut && (asText(cut.name) ?? 'unknown')
}

export function asEventObject(sent: FormatRequest, data: unknown): Data {
  const event = asData(data)
  if (event === undefined)
    throw createBadResponseError(sent, 'has an event that is not a JSON object', JSON.stringify(data))
  return event
}

/** An error that the agent reports is its own failure, unless it says that its provider refused or is overloaded. */
export function createReportedFailure(
  { url, faults }: Pick<FormatRequest, 'url' | 'faults'>,
  given: unknown,
): AgentError | InfrastructureError {
  const error = unwrapError(given)
  const reported = createReportedError(url, error)
  const status = readReportedStatus(error)
  const isConfigured = status !== undefined && faults?.[status] !== undefined
  if (!isConfigured && readRefusal(error) !== undefined) return reported
  if (status !== undefined && !isAgentFault(status, faults)) return reported
  return new AgentError(reported.message, { cause: reported })
}

/** Events for errors often have the error itself in `error`. */
function unwrapError(given: unknown): unknown {
  const { error, ...around } = asData(given) ?? {}
  const within = asData(error)
  return within === undefined ? given : { ...around, ...within }
}
