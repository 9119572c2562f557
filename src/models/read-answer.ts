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

/** What reading an answer needs to know of the question. */
export interface AnsweredRequest extends Endpoint {
  /** Names calls that the server gave no id, unlike those of other turns. */
  callPrefix: string
}

/** How a provider's API writes its answers. */
export interface AnswerFormat {
  /** Puts a streamed answer together. */
  createDraft(): AnswerDraft
  /** Throws `badResponse` for what makes no sense. */
  replyOf(asked: AnsweredRequest, answer: Data): Reply
}

export interface AnswerDraft {
  add(chunk: Data): void
  /** Nothing more will come. */
  isEnded(): boolean
  /** Only remarks, like the usage, can still be missing. */
  isComplete(): boolean
  /** What was said so far. */
  text(): string
  /** The same answer as it would have come without streaming. */
  whole(): Data
}

/** How to read an answer goes by what it says of itself, not by what was asked for. */
export function createReadBody(
  asked: AnsweredRequest,
  format: AnswerFormat,
): (head: HttpHead) => BodyReader<Reply> {
  return (head) => {
    if (head.status >= 300) return readStatusError(asked.url, head, asked.keySent)
    if (isEventStream(head)) return readStream(asked, format)
    return readText((text) =>
      /^(data|event):/.test(text)
        ? replyOfMislabelledStream(asked, format, text)
        : replyOf(asked, format, answerIn(asked, head, text)),
    )
  }
}

/** For what is never streamed. */
export function createReadJson<T>(
  asked: Endpoint,
  read: (answer: Data) => T,
): (head: HttpHead) => BodyReader<T> {
  return (head) => {
    if (head.status >= 300) return readStatusError(asked.url, head, asked.keySent)
    return readText((text) => {
      const answer = answerIn(asked, head, text)
      if (hasError(answer.error)) throw reportedError(asked.url, answer.error)
      return read(answer)
    })
  }
}

function isEventStream(head: HttpHead): boolean {
  return String(head.headers['content-type']).includes('event-stream')
}

/** A byte order mark is no part of the text. */
function textIn(chunks: readonly Buffer[]): string {
  const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
  return (body?.toString() ?? '').replace(/^\uFEFF/, '')
}

/** For what makes sense only as a whole. */
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

function answerIn(asked: Endpoint, head: HttpHead, text: string): Data {
  const answer = dataOf(parseJson(text))
  if (answer !== undefined) return answer
  if (mayBeCut(head) && /^\s*\{(?!.*\}\s*$)/s.test(text)) throw truncated(asked, text)
  throw badResponse(asked, 'is not a JSON object', text)
}

function replyOfMislabelledStream(asked: AnsweredRequest, format: AnswerFormat, text: string): Reply {
  const reader = readStream(asked, format)
  reader.push(Buffer.from(text))
  return reader.end(undefined)
}

function readStream(asked: AnsweredRequest, format: AnswerFormat): BodyReader<Reply> {
  const draft = format.createDraft()
  let done = false
  const parser = createServerSentEventParser(({ event, data }) => {
    if (data === '[DONE]') done = true
    if (done) return
    const chunk = dataOf(parseJson(data))
    if (chunk === undefined) throw badResponse(asked, 'has an event that is not a JSON object', data)
    if (hasError(chunk.error)) throw reportedError(asked.url, chunk.error)
    if (event === 'error') throw reportedError(asked.url, chunk)
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
      if (!done && !draft.isComplete()) throw cut ?? truncated(asked, draft.text())
      return replyOf(asked, format, draft.whole())
    },
  }
}

function replyOf(asked: AnsweredRequest, format: AnswerFormat, answer: Data): Reply {
  if (hasError(answer.error)) throw reportedError(asked.url, answer.error)
  return format.replyOf(asked, answer)
}

/** What all answers come to. */
export interface ParsedReply {
  content: string
  toolCalls: ToolCall[]
  finishReason: string | undefined
  usage: TokenUsage
  raw: Data
}

export function replyWith({ content, toolCalls, finishReason, usage, raw }: ParsedReply): Reply {
  const said: Message = { role: 'assistant', content }
  if (toolCalls.length > 0) said.toolCalls = toolCalls
  const reply: Reply = { output: content, content, messages: [said], toolCalls, raw }
  if (finishReason !== undefined) reply.finishReason = finishReason
  if (Object.keys(usage).length > 0) reply.usage = usage
  return reply
}

export function badResponse(asked: Endpoint, fault: string, came: string): InfrastructureError {
  const start = came.trim() === '' ? 'nothing' : startOf(came, shownStart)
  return new InfrastructureError(
    'bad_response',
    `the answer of ${urlToShow(asked.url)} ${fault}. It begins: ${start}`,
  )
}

function truncated(asked: Endpoint, came: string): InfrastructureError {
  const after =
    came === '' ? 'before anything was said' : `after: ${shortenStart(came, shownStart).replace(/\s+/g, ' ')}`
  const message = `the answer of ${urlToShow(asked.url)} ended too early, ${after}`
  return new InfrastructureError('truncated', message, { retryable: true })
}
