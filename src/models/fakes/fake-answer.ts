import { textOrJson } from '../../json/json.ts'
import type { Data, Message } from '../../results/transcript/message.ts'
import { messageText } from '../../results/transcript/message.ts'
import type { TokenUsage } from '../../results/transcript/reply.ts'

export interface FakeToolCall {
  /** Default `call_1`, `call_2`… */
  id?: string
  name: string
  /** A string is sent as it is, so it need not be JSON. */
  arguments?: unknown
}

/** The answer of a fake server; a string is the text of the answer. */
export type FakeAnswer = string | FakeAnswerFields

export interface FakeAnswerFields {
  text?: string
  toolCalls?: FakeToolCall[]
  /** In the words of the API. Default: the model stopped by itself, or calls tools. */
  finishReason?: string
  /** Default: words counted as tokens. `null`: no usage is sent. */
  usage?: TokenUsage | null
  /** With anything other than 200, the answer is an error. */
  status?: number
  headers?: Record<string, string>
  /** The `error` object of an error's body. */
  error?: Data
  /** Sent as it is instead of a completion; anything but a string as JSON. */
  body?: unknown
  /** Sent instead of a completion's chunks, one event each; a string as it is, anything else as JSON. */
  events?: unknown[]
  delayMs?: number
  /** Closes the connection: after the headers, in the middle of the body, or before any answer. */
  cut?: 'before-body' | 'mid-stream' | 'reset'
  /** The answer never comes. */
  hang?: boolean
}

/** What is sent over the wire for an answer. */
export interface FakeOutcome {
  status: number
  headers: Record<string, string>
  pieces: string[]
  delayMs: number
  cut: FakeAnswerFields['cut']
  hang: boolean
}

/** What a fake needs to know about its API. */
export interface FakeApi {
  /** The end of the path of a request. */
  path: string
  errorBody(error: Data): Data
  /** Builds a complete answer, or the events of a stream. */
  whole(fields: FakeAnswerFields, request: Data): Data
  events(fields: FakeAnswerFields, request: Data): unknown[]
  /** Serializes one event. */
  eventText(event: unknown): string
}

export function fakeOutcome(api: FakeApi, answer: FakeAnswer, request: Data): FakeOutcome {
  const fields = typeof answer === 'string' ? { text: answer } : answer
  const { status = 200, delayMs = 0, cut, hang = false } = fields
  const { contentType, pieces } = buildFakeContent(api, fields, status, request)
  const length = Buffer.byteLength(pieces.join(''))
  const headers: Record<string, string> = { 'content-type': contentType }
  if (contentType === 'application/json') headers['content-length'] = String(length)
  return { status, headers: { ...headers, ...lowerCaseNames(fields.headers) }, pieces, delayMs, cut, hang }
}

function buildFakeContent(
  api: FakeApi,
  fields: FakeAnswerFields,
  status: number,
  request: Data,
): { contentType: string; pieces: string[] } {
  const json = (value: unknown) => ({ contentType: 'application/json', pieces: [textOrJson(value)] })
  if (fields.body !== undefined) return json(fields.body)
  if (status !== 200) {
    return json(api.errorBody({ message: `the fake answers ${status}`, type: 'fake_error', ...fields.error }))
  }
  if (fields.events === undefined && request.stream !== true) return json(api.whole(fields, request))
  const events = fields.events ?? api.events(fields, request)
  return { contentType: 'text/event-stream', pieces: events.map(api.eventText) }
}

/** The text of an answer; by default the user's last message. */
export function fakeText(fields: FakeAnswerFields, request: Data): string {
  return fields.text ?? (fields.toolCalls === undefined ? lastUserText(request) : '')
}

function lastUserText(request: Data): string {
  return messageText(requestMessages(request).findLast(({ role }) => role === 'user')?.content)
}

/** Counts words as tokens. Undefined when no usage is to be sent. */
export function fakeTokens(
  fields: FakeAnswerFields,
  request: Data,
): Required<Pick<TokenUsage, 'inputTokens' | 'outputTokens'>> | undefined {
  if (fields.usage === null) return undefined
  const asked = requestMessages(request).map(({ content }) => messageText(content))
  return {
    inputTokens: fields.usage?.inputTokens ?? countWords(asked.join(' ')),
    outputTokens: fields.usage?.outputTokens ?? countWords(fakeText(fields, request)),
  }
}

/** As servers stream it: by words, each with the space after it. */
export function streamedWords(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\s)(?=\S)/)
}

/** Splits arguments as servers stream them: in pieces that are not JSON by themselves. */
export function splitHalves(text: string): string[] {
  const half = Math.ceil(text.length / 2)
  return [text.slice(0, half), text.slice(half)].filter((piece) => piece !== '')
}

function requestMessages(request: Data): Message[] {
  return Array.isArray(request.messages) ? (request.messages as Message[]) : []
}

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}

function lowerCaseNames(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
