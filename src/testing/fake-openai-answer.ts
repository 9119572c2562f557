import type { Data, Message } from '../transcript/message.ts'
import { textOf } from '../transcript/message.ts'
import type { TokenUsage } from '../transcript/reply.ts'

export interface FakeToolCall {
  /** Default `call_1`, `call_2`… */
  id?: string
  name: string
  /** A string is sent as it is, so that it need not be JSON. */
  arguments?: unknown
}

/** A string is the text of the answer. */
export type FakeAnswer = string | FakeAnswerFields

interface FakeAnswerFields {
  text?: string
  toolCalls?: FakeToolCall[]
  /** Default `stop`, or `tool_calls` where there are some. */
  finishReason?: string
  /** Default: words counted as tokens. `null`: nothing is told. */
  usage?: TokenUsage | null
  /** Other than 200: the answer is an error. */
  status?: number
  headers?: Record<string, string>
  /** The `error` object of an error's body. */
  error?: Data
  /** Sent as it is instead of a completion; what is not a string as JSON. */
  body?: unknown
  /** Sent instead of a completion's chunks, one event each; a string as it is, anything else as JSON. */
  events?: unknown[]
  delayMs?: number
  /**
   * The connection is closed: after the headers, in the middle of the body, or before anything was answered.
   */
  cut?: 'before-body' | 'mid-stream' | 'reset'
  /** No answer ever comes. */
  hang?: boolean
}

/** What goes over the wire for an answer. */
export interface FakeOutcome {
  status: number
  headers: Record<string, string>
  pieces: string[]
  delayMs: number
  cut: FakeAnswerFields['cut']
  hang: boolean
}

export function outcomeOf(answer: FakeAnswer, request: Data): FakeOutcome {
  const fields = typeof answer === 'string' ? { text: answer } : answer
  const { status = 200, delayMs = 0, cut, hang = false } = fields
  const { contentType, pieces } = contentOf(fields, status, request)
  const length = Buffer.byteLength(pieces.join(''))
  const headers: Record<string, string> = { 'content-type': contentType }
  if (contentType === 'application/json') headers['content-length'] = String(length)
  return { status, headers: { ...headers, ...lowerCased(fields.headers) }, pieces, delayMs, cut, hang }
}

function contentOf(
  fields: FakeAnswerFields,
  status: number,
  request: Data,
): { contentType: string; pieces: string[] } {
  const json = (value: unknown) => ({ contentType: 'application/json', pieces: [textOrJson(value)] })
  if (fields.body !== undefined) return json(fields.body)
  if (status !== 200) {
    const error = { message: `the fake answers ${status}`, type: 'fake_error', code: null, ...fields.error }
    return json({ error })
  }
  const stream = (events: unknown[]) => ({
    contentType: 'text/event-stream',
    pieces: events.map((event) => `data: ${textOrJson(event)}\n\n`),
  })
  if (fields.events !== undefined) return stream(fields.events)
  const completion = completionFor(fields, request)
  return request.stream === true ? stream(chunksOf(completion, request)) : json(wholeOf(completion))
}

interface FakeCompletion {
  head: Data
  text: string
  toolCalls: Data[]
  finishReason: string
  usage: Data | undefined
}

function completionFor(fields: FakeAnswerFields, request: Data): FakeCompletion {
  const text = fields.text ?? (fields.toolCalls === undefined ? echoOf(request) : '')
  const toolCalls = (fields.toolCalls ?? []).map((call, index) => ({
    id: call.id ?? `call_${index + 1}`,
    type: 'function',
    function: { name: call.name, arguments: textOrJson(call.arguments ?? {}) },
  }))
  return {
    head: { id: 'chatcmpl-fake', created: 0, model: String(request.model ?? 'fake') },
    text,
    toolCalls,
    finishReason: fields.finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop'),
    usage: fields.usage === null ? undefined : usageFor(fields.usage, request, text),
  }
}

function wholeOf({ head, text, toolCalls, finishReason, usage }: FakeCompletion): Data {
  const message: Data = { role: 'assistant', content: text === '' ? null : text }
  if (toolCalls.length > 0) message.tool_calls = toolCalls
  const choices = [{ index: 0, message, finish_reason: finishReason }]
  return { ...head, object: 'chat.completion', choices, ...(usage === undefined ? {} : { usage }) }
}

/** As OpenAI streams: the role, the text by words, each call's name and then its arguments, the reason, the usage. */
function chunksOf({ head, text, toolCalls, finishReason, usage }: FakeCompletion, request: Data): unknown[] {
  const deltas: Data[] = [{ role: 'assistant', content: '' }]
  if (text !== '') deltas.push(...text.split(/(?<=\s)(?=\S)/).map((word) => ({ content: word })))
  for (const [index, call] of toolCalls.entries()) deltas.push(...toolCallDeltas(call, index))
  const chunk = { ...head, object: 'chat.completion.chunk' }
  const chunks: unknown[] = deltas.map((delta) => ({
    ...chunk,
    choices: [{ index: 0, delta, finish_reason: null }],
  }))
  chunks.push({ ...chunk, choices: [{ index: 0, delta: {}, finish_reason: finishReason }] })
  const wanted = (request.stream_options as Data | undefined)?.include_usage === true
  if (wanted && usage !== undefined) chunks.push({ ...chunk, choices: [], usage })
  return [...chunks, '[DONE]']
}

function toolCallDeltas(call: Data, index: number): Data[] {
  const { name, arguments: text } = call.function as { name: string; arguments: string }
  const half = Math.ceil(text.length / 2)
  const pieces = [text.slice(0, half), text.slice(half)].filter((piece) => piece !== '')
  return [
    { tool_calls: [{ ...call, index, function: { name, arguments: '' } }] },
    ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]
}

function echoOf(request: Data): string {
  return textOf(messagesOf(request).findLast(({ role }) => role === 'user')?.content)
}

function usageFor(given: TokenUsage | undefined, request: Data, text: string): Data {
  const asked = messagesOf(request).map(({ content }) => textOf(content))
  const input = given?.inputTokens ?? wordsIn(asked.join(' '))
  const output = given?.outputTokens ?? wordsIn(text)
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
}

function messagesOf(request: Data): Message[] {
  return Array.isArray(request.messages) ? (request.messages as Message[]) : []
}

function wordsIn(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}

function textOrJson(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function lowerCased(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
