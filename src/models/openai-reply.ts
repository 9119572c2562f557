import { defined } from '../defined.ts'
import { WorldError } from '../errors.ts'
import { parseJson } from '../json.ts'
import type { Data, Message, ToolCall } from '../transcript/message.ts'
import type { Reply, TokenUsage } from '../transcript/reply.ts'
import type { BodyReader, HttpHead } from './http-client.ts'
import { mayBeCut, readStatusError, reportedError, urlToShow } from './http-errors.ts'
import { dataOf, listOf, numberOf, startOf, stringOf } from './json.ts'
import {
  addChunk,
  argumentsText,
  completionOf,
  contentText,
  createCompletionDraft,
  firstChoice,
} from './openai-completion.ts'
import { createServerSentEventParser, type ServerSentEvent } from './sse.ts'

const shownStart = 300

/** What reading an answer needs to know of the question. */
export interface Asked {
  url: URL
  keySent: boolean
  /** Names calls that the server gave no id, unlike those of other turns. */
  callPrefix: string
}

/** How to read an answer goes by what it says of itself, not by what was asked for. */
export function createReadBody(asked: Asked): (head: HttpHead) => BodyReader<Reply> {
  return (head) => {
    if (head.status >= 300) return readStatusError(asked.url, head, asked.keySent)
    return isEventStream(head) ? readStream(asked) : readJson(asked, head)
  }
}

function isEventStream(head: HttpHead): boolean {
  return String(head.headers['content-type']).includes('event-stream')
}

function readJson(asked: Asked, head: HttpHead): BodyReader<Reply> {
  const chunks: Buffer[] = []
  return {
    push(chunk) {
      chunks.push(chunk)
      return false
    },
    end(cut) {
      if (cut !== undefined) throw cut
      const text = (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString() ?? ''
      if (text.startsWith('data:')) return replyOfMislabelledStream(asked, text)
      const completion = dataOf(parseJson(text))
      if (completion !== undefined) return replyOf(asked, completion)
      if (mayBeCut(head) && /^\s*\{(?!.*\}\s*$)/s.test(text)) throw truncated(asked, text)
      throw badResponse(asked, 'is not a JSON object', text)
    },
  }
}

function replyOfMislabelledStream(asked: Asked, text: string): Reply {
  const reader = readStream(asked)
  reader.push(Buffer.from(text))
  return reader.end(undefined)
}

function readStream(asked: Asked): BodyReader<Reply> {
  const draft = createCompletionDraft()
  let done = false
  const parser = createServerSentEventParser(({ event, data }: ServerSentEvent) => {
    if (data === '[DONE]') done = true
    if (done) return
    const chunk = dataOf(parseJson(data))
    if (chunk === undefined) throw badResponse(asked, 'has an event that is not a JSON object', data)
    if (isSet(chunk.error)) throw reportedError(asked.url, chunk.error)
    if (event === 'error') throw reportedError(asked.url, chunk)
    addChunk(draft, chunk)
  })
  return {
    push(chunk) {
      parser.push(chunk)
      return done
    },
    end(cut) {
      if (cut === undefined) parser.end()
      // After the reason to finish only the usage can be missing: the answer is there.
      if (!done && draft.finishReason === undefined) throw cut ?? truncated(asked, draft.content)
      return replyOf(asked, completionOf(draft))
    },
  }
}

function isSet(error: unknown): boolean {
  return error !== undefined && error !== null && error !== false && error !== ''
}

function replyOf(asked: Asked, completion: Data): Reply {
  if (isSet(completion.error)) throw reportedError(asked.url, completion.error)
  const choice = firstChoice(completion)
  if (choice === undefined) throw badResponse(asked, 'has no choices', JSON.stringify(completion))
  const message = dataOf(choice.message)
  if (message === undefined)
    throw badResponse(asked, 'has a choice without a message', JSON.stringify(choice))
  const content = contentText(message.content) || (stringOf(message.refusal) ?? '')
  const toolCalls = listOf(message.tool_calls).map((call, index) => toolCallOf(asked, call, index))
  const said: Message = { role: 'assistant', content }
  if (toolCalls.length > 0) said.toolCalls = toolCalls
  const reply: Reply = { output: content, content, messages: [said], toolCalls, raw: completion }
  const finishReason = stringOf(choice.finish_reason)
  if (finishReason !== undefined) reply.finishReason = finishReason
  const usage = usageOf(dataOf(completion.usage))
  if (usage !== undefined) reply.usage = usage
  return reply
}

function toolCallOf(asked: Asked, call: unknown, index: number): ToolCall {
  const { id, function: given } = dataOf(call) ?? {}
  const name = stringOf(dataOf(given)?.name)
  if (name === undefined) throw badResponse(asked, 'has a tool call without a name', JSON.stringify(call))
  const text = argumentsText(dataOf(given)?.arguments)
  return {
    id: stringOf(id) ?? `${asked.callPrefix}_${index}`,
    name,
    // No text at all is how servers call a tool without parameters.
    arguments: /^\s*(?:null\s*)?$/.test(text) ? {} : (parseJson(text) ?? text),
  }
}

function usageOf(usage: Data | undefined): TokenUsage | undefined {
  const inputTokens = numberOf(usage?.prompt_tokens)
  const outputTokens = numberOf(usage?.completion_tokens)
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  return defined({ inputTokens, outputTokens })
}

function badResponse(asked: Asked, fault: string, came: string): WorldError {
  const start = came.trim() === '' ? 'nothing' : startOf(came, shownStart)
  return new WorldError('bad_response', `the answer of ${urlToShow(asked.url)} ${fault}. It begins: ${start}`)
}

function truncated(asked: Asked, came: string): WorldError {
  const after =
    came === '' ? 'before anything was said' : `after: ${startOf(came.slice(-shownStart), shownStart)}`
  const message = `the answer of ${urlToShow(asked.url)} ended too early, ${after}`
  return new WorldError('truncated', message, { retryable: true })
}
