import { InfrastructureError } from '../errors.ts'
import { parseJson } from '../json/json.ts'
import type { Data, Message, ToolCall } from '../results/transcript/message.ts'
import type { Reply, TokenUsage } from '../results/transcript/reply.ts'
import { shortenStart } from '../text/shorten.ts'
import type { BodyReader, HttpHead } from './http-client.ts'
import { createReportedError, mayBeTruncated, readStatusError } from './http-errors.ts'
import { asData, excerpt, hasError } from './json.ts'
import { redactUrl } from './network/address.ts'
import { createServerSentEventParser } from './sse.ts'

const excerptLength = 300
const maxBeginning = 16 * 1024

export interface CalledEndpoint {
  url: URL
  keySent: boolean
}

/** The request, as far as reading its answer needs it. */
export interface AnsweredRequest extends CalledEndpoint {
  /** Makes ids for tool calls that came without one, different from those of other turns. */
  callPrefix: string
  /** How a streamed answer began, for messages: the server has not sent what is assembled from it. */
  begin?(): string
}

/** How a provider's API writes its answers. */
export interface AnswerFormat {
  /** Assembles a streamed answer. */
  createDraft(): AnswerDraft
  /** Throws `badResponse` for an answer that makes no sense. */
  parseReply(sentRequest: AnsweredRequest, answer: Data): Reply
}

export interface AnswerDraft {
  add(chunk: Data): void
  /** Whether the stream is over. */
  isEnded(): boolean
  /** Whether only additions, like the usage, can still be missing. */
  isComplete(): boolean
  /** The text so far. */
  text(): string
  /** The answer as it would have been without streaming. */
  whole(): Data
}

/** Chooses the reader by what the answer says about itself, not by what was requested. */
export function createReadBody(
  sentRequest: AnsweredRequest,
  format: AnswerFormat,
): (head: HttpHead) => BodyReader<Reply> {
  return (head) => {
    if (head.status >= 300) return readStatusError(sentRequest.url, head, sentRequest.keySent)
    if (isEventStream(head)) return readStream(sentRequest, format)
    return readText((text) =>
      /^(data|event):/.test(text)
        ? parseMislabelledStream(sentRequest, format, text)
        : parseReplyAnswer(sentRequest, format, parseAnswer(sentRequest, head, text)),
    )
  }
}

/** Reads an answer that is never streamed. */
export function createReadJson<T>(
  sentRequest: CalledEndpoint,
  read: (answer: Data) => T,
): (head: HttpHead) => BodyReader<T> {
  return (head) => {
    if (head.status >= 300) return readStatusError(sentRequest.url, head, sentRequest.keySent)
    return readText((text) => {
      const answer = parseAnswer(sentRequest, head, text)
      if (hasError(answer.error)) throw createReportedError(sentRequest.url, answer.error)
      return read(answer)
    })
  }
}

function isEventStream(head: HttpHead): boolean {
  return String(head.headers['content-type']).includes('event-stream')
}

/** Leaves out a byte order mark. */
function decodeText(chunks: readonly Buffer[]): string {
  const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
  return (body?.toString() ?? '').replace(/^\uFEFF/, '')
}

/** Reads a body that makes sense only as a whole. */
export function readText<T>(read: (text: string) => T): BodyReader<T> {
  const chunks: Buffer[] = []
  return {
    push(chunk) {
      chunks.push(chunk)
      return false
    },
    end(cut) {
      if (cut !== undefined) throw cut
      return read(decodeText(chunks))
    },
  }
}

function parseAnswer(sentRequest: CalledEndpoint, head: HttpHead, text: string): Data {
  const answer = asData(parseJson(text))
  if (answer !== undefined) return answer
  if (mayBeTruncated(head) && /^\s*\{(?!.*\}\s*$)/s.test(text)) throw createTruncatedError(sentRequest, text)
  throw createBadResponseError(sentRequest, 'is not a JSON object', text)
}

function parseMislabelledStream(sentRequest: AnsweredRequest, format: AnswerFormat, text: string): Reply {
  const reader = readStream(sentRequest, format)
  reader.push(Buffer.from(text))
  return reader.end(undefined)
}

function readStream(sentRequest: AnsweredRequest, format: AnswerFormat): BodyReader<Reply> {
  const draft = format.createDraft()
  const begin = createBeginning()
  let done = false
  const parser = createServerSentEventParser(({ event, data }) => {
    if (data === '[DONE]') done = true
    if (done) return
    const chunk = asData(parseJson(data))
    if (chunk === undefined)
      throw createBadResponseError(sentRequest, 'has an event that is not a JSON object', data)
    if (hasError(chunk.error)) throw createReportedError(sentRequest.url, chunk.error)
    if (event === 'error') throw createReportedError(sentRequest.url, chunk)
    draft.add(chunk)
    done = draft.isEnded()
  })
  return {
    push(chunk) {
      begin.push(chunk)
      parser.push(chunk)
      return done
    },
    end(cut) {
      if (cut === undefined) parser.end()
      if (!done && !draft.isComplete()) throw cut ?? createTruncatedError(sentRequest, draft.text())
      return parseReplyAnswer({ ...sentRequest, begin: begin.text }, format, draft.whole())
    },
  }
}

function parseReplyAnswer(sentRequest: AnsweredRequest, format: AnswerFormat, answer: Data): Reply {
  if (hasError(answer.error)) throw createReportedError(sentRequest.url, answer.error)
  return format.parseReply(sentRequest, answer)
}

/** The contents of an answer, in whatever format it came. */
export interface ParsedReply {
  content: string
  toolCalls: ToolCall[]
  providerCalls?: ToolCall[]
  finishReason: string | undefined
  usage: TokenUsage
  raw?: Data
}

export function buildReply(parsed: ParsedReply): Reply {
  const { content, toolCalls, providerCalls = [], finishReason, usage, raw } = parsed
  const message: Message = { role: 'assistant', content }
  if (toolCalls.length > 0) message.toolCalls = toolCalls
  const reply: Reply = { output: content, content, messages: [message], toolCalls }
  if (providerCalls.length > 0) reply.providerCalls = providerCalls
  if (raw !== undefined) reply.raw = raw
  if (finishReason !== undefined) reply.finishReason = finishReason
  if (Object.keys(usage).length > 0) reply.usage = usage
  return reply
}

export function createBadResponseError(
  sentRequest: CalledEndpoint,
  fault: string,
  came: string,
): InfrastructureError {
  const start = came.trim() === '' ? 'It is empty' : `It begins: ${excerpt(came, excerptLength)}`
  const message = `the answer of ${redactUrl(sentRequest.url)} ${fault}. ${start}`
  return new InfrastructureError('bad_response', message)
}

/** The same for a whole answer, which is shown as it came. */
export function createBadAnswerError(
  sentRequest: AnsweredRequest,
  fault: string,
  answer: object,
): InfrastructureError {
  return createBadResponseError(sentRequest, fault, sentRequest.begin?.() ?? JSON.stringify(answer))
}

/** Keeps how a body begins. */
export function createBeginning(): { push(chunk: Buffer): void; text(): string } {
  const chunks: Buffer[] = []
  let size = 0
  return {
    push(chunk) {
      if (size >= maxBeginning) return
      chunks.push(chunk)
      size += chunk.length
    },
    text: () => decodeText(chunks),
  }
}

export function createTruncatedError(sentRequest: CalledEndpoint, came: string): InfrastructureError {
  const message = `the answer of ${redactUrl(sentRequest.url)} ended too early, ${describeCut(came)}`
  return new InfrastructureError('truncated', message, { retryable: true })
}

/** Where an answer ends of which this came. */
export function describeCut(came: string): string {
  return came === ''
    ? 'before anything was said'
    : `after: ${shortenStart(came, excerptLength).replace(/\s+/g, ' ')}`
}
