import { InfrastructureError } from '../errors.ts'
import { parseJson } from '../json/json.ts'
import type { Data, Message, ToolCall } from '../results/transcript/message.ts'
import type { Reply, TokenUsage } from '../results/transcript/reply.ts'
import { shortenStart } from '../text/shorten.ts'
import type { BodyReader, HttpHead } from './http-client.ts'
import { mayBeCut, readStatusError, reportedError } from './http-errors.ts'
import { dataOf, hasError, startOf } from './json.ts'
import { urlToShow } from './network/address.ts'
import { createServerSentEventParser } from './sse.ts'

const shownStart = 300

export interface Endpoint {
  url: URL
  keySent: boolean
}

/** The request, as far as reading its answer needs it. */
export interface AnsweredRequest extends Endpoint {
  /** Makes ids for tool calls that came without one, different from those of other turns. */
  callPrefix: string
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
        ? replyOfMislabelledStream(sentRequest, format, text)
        : replyOf(sentRequest, format, answerIn(sentRequest, head, text)),
    )
  }
}

/** Reads an answer that is never streamed. */
export function createReadJson<T>(
  sentRequest: Endpoint,
  read: (answer: Data) => T,
): (head: HttpHead) => BodyReader<T> {
  return (head) => {
    if (head.status >= 300) return readStatusError(sentRequest.url, head, sentRequest.keySent)
    return readText((text) => {
      const answer = answerIn(sentRequest, head, text)
      if (hasError(answer.error)) throw reportedError(sentRequest.url, answer.error)
      return read(answer)
    })
  }
}

function isEventStream(head: HttpHead): boolean {
  return String(head.headers['content-type']).includes('event-stream')
}

/** Leaves out a byte order mark. */
function textIn(chunks: readonly Buffer[]): string {
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
      return read(textIn(chunks))
    },
  }
}

function answerIn(sentRequest: Endpoint, head: HttpHead, text: string): Data {
  const answer = dataOf(parseJson(text))
  if (answer !== undefined) return answer
  if (mayBeCut(head) && /^\s*\{(?!.*\}\s*$)/s.test(text)) throw truncated(sentRequest, text)
  throw badResponse(sentRequest, 'is not a JSON object', text)
}

function replyOfMislabelledStream(sentRequest: AnsweredRequest, format: AnswerFormat, text: string): Reply {
  const reader = readStream(sentRequest, format)
  reader.push(Buffer.from(text))
  return reader.end(undefined)
}

function readStream(sentRequest: AnsweredRequest, format: AnswerFormat): BodyReader<Reply> {
  const draft = format.createDraft()
  let done = false
  const parser = createServerSentEventParser(({ event, data }) => {
    if (data === '[DONE]') done = true
    if (done) return
    const chunk = dataOf(parseJson(data))
    if (chunk === undefined) throw badResponse(sentRequest, 'has an event that is not a JSON object', data)
    if (hasError(chunk.error)) throw reportedError(sentRequest.url, chunk.error)
    if (event === 'error') throw reportedError(sentRequest.url, chunk)
    draft.add(chunk)
    done = draft.isEnded()
  })
  return {
    push(chunk) {
      parser.push(chunk)
      return done
    },
    end(cut) {
      if (cut === undefined) parser.end()
      if (!done && !draft.isComplete()) throw cut ?? truncated(sentRequest, draft.text())
      return replyOf(sentRequest, format, draft.whole())
    },
  }
}

function replyOf(sentRequest: AnsweredRequest, format: AnswerFormat, answer: Data): Reply {
  if (hasError(answer.error)) throw reportedError(sentRequest.url, answer.error)
  return format.parseReply(sentRequest, answer)
}

/** The contents of an answer, in whatever format it came. */
export interface ParsedReply {
  content: string
  toolCalls: ToolCall[]
  finishReason: string | undefined
  usage: TokenUsage
  raw: Data
}

export function replyWith({ content, toolCalls, finishReason, usage, raw }: ParsedReply): Reply {
  const message: Message = { role: 'assistant', content }
  if (toolCalls.length > 0) message.toolCalls = toolCalls
  const reply: Reply = { output: content, content, messages: [message], toolCalls, raw }
  if (finishReason !== undefined) reply.finishReason = finishReason
  if (Object.keys(usage).length > 0) reply.usage = usage
  return reply
}

export function badResponse(sentRequest: Endpoint, fault: string, came: string): InfrastructureError {
  const start = came.trim() === '' ? 'It is empty' : `It begins: ${startOf(came, shownStart)}`
  return new InfrastructureError(
    'bad_response',
    `the answer of ${urlToShow(sentRequest.url)} ${fault}. ${start}`,
  )
}

function truncated(sentRequest: Endpoint, came: string): InfrastructureError {
  const after =
    came === '' ? 'before anything was said' : `after: ${shortenStart(came, shownStart).replace(/\s+/g, ' ')}`
  const message = `the answer of ${urlToShow(sentRequest.url)} ended too early, ${after}`
  return new InfrastructureError('truncated', message, { retryable: true })
}
