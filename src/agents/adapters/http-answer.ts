import { InfrastructureError } from '../../errors.ts'
import { parseJson } from '../../json/json.ts'
import type { BodyReader, HttpHead } from '../../models/http-client.ts'
import { mayBeTruncated, readStatusError } from '../../models/http-errors.ts'
import { readText } from '../../models/read-answer.ts'
import { createServerSentEventParser, type ServerSentEvent } from '../../models/sse.ts'
import type { Faults } from '../../project/config-schema.ts'
import type { HttpAgentConfig } from '../../project/http-agent-schema.ts'
import { messageText } from '../../results/transcript/message.ts'
import { shortenStart } from '../../text/shorten.ts'
import { createReportedFailure } from './http-formats/format.ts'
import { badAnswerError, compileMappingPath, type HttpAnswer } from './http-mapping.ts'

const maxShownEnd = 100

interface AnswerContext {
  url: URL
  /** The URL as messages may show it. */
  from: string
  keySent: boolean
  faults: Faults | undefined
  event: HttpAgentConfig['event']
  mapped: boolean
}

/** Chooses the reader by the content type of the answer, not by what was requested. */
export function createReadAnswer(asked: AnswerContext): (head: HttpHead) => BodyReader<HttpAnswer> {
  return (head) => {
    if (head.status >= 300) return readStatusError(asked.url, head, asked.keySent)
    if (!contentType(head).includes('event-stream')) return readWholeAnswer(asked, head)
    if (asked.event !== undefined) return readStream(asked, asked.event)
    throw badAnswerError(
      { from: asked.from, raw: '(an event stream)' },
      'is a stream: the config must say how to read it, with a `format`, or with `stream: "sse"` and `event`',
    )
  }
}

function contentType(head: HttpHead): string {
  return String(head.headers['content-type'] ?? '').toLowerCase()
}

function readWholeAnswer(asked: AnswerContext, head: HttpHead): BodyReader<HttpAnswer> {
  return readText((raw) => {
    const whole = parseWholeAnswer(asked, head, raw)
    return { from: asked.from, whole, raw, isStream: false, find: (path) => path(whole) }
  })
}

/** Parsed JSON, or the text itself if no mapping needs JSON and the content type is text. */
export function parseWholeAnswer(
  asked: Pick<AnswerContext, 'from' | 'mapped'>,
  head: HttpHead,
  raw: string,
): unknown {
  const parsed = parseJson(raw)
  if (parsed !== undefined) return parsed
  const { from } = asked
  if (mayBeTruncated(head) && /^\s*[{[]/.test(raw)) {
    const message = `the answer of ${from} ended too early, after: ${shortenStart(raw, maxShownEnd)}`
    throw new InfrastructureError('truncated', message, { retryable: true })
  }
  const isText = /^(?:text\/(?!html)|$)/.test(contentType(head)) && raw.trim() !== ''
  if (!asked.mapped && isText) return raw
  const isPage = contentType(head).includes('html') || /^\s*<(?:!doctype|html)/i.test(raw)
  throw badAnswerError({ from, raw }, isPage ? 'is a web page (is the URL right?)' : 'is not JSON')
}

interface StreamDraft {
  text: string
  hasText: boolean
  events: unknown[]
  last: string
  ended: boolean
}

function readStream(
  asked: AnswerContext,
  mapping: NonNullable<HttpAgentConfig['event']>,
): BodyReader<HttpAnswer> {
  const draft: StreamDraft = { text: '', hasText: false, events: [], last: '', ended: false }
  const delta = compileMappingPath(mapping.delta)
  const isEnd = compileEnd(mapping.end)
  const parser = createServerSentEventParser((event) => {
    if (draft.ended) return
    const data = parseJson(event.data) ?? event.data
    if (event.event === 'error') throw createReportedFailure(asked, data)
    draft.last = event.data
    draft.ended = isEnd(event, data)
    draft.events.push(data)
    if (mapping.delta !== '$') addText(draft, delta(data)?.value)
    // Plain text: `1.0` stays text, and the end marker is not part of it.
    else if (!draft.ended) addText(draft, typeof data === 'string' ? data : event.data)
  })
  return {
    push(chunk) {
      parser.push(chunk)
      return draft.ended
    },
    end(cut) {
      if (cut === undefined) parser.end()
      return finishStream(asked, mapping, draft, cut)
    },
  }
}

function addText(draft: StreamDraft, piece: unknown): void {
  if (piece === undefined || piece === null) return
  draft.text += messageText(piece)
  draft.hasText = true
}

/** The end marker is the name of an event, its whole data, or a path to a value in it. */
function compileEnd(end: string | undefined): (event: ServerSentEvent, data: unknown) => boolean {
  if (end === undefined) return () => false
  const path = end.startsWith('$') ? compileMappingPath(end) : undefined
  return ({ event, data: text }, data) => {
    if (event === end || text === end) return true
    const value = path?.(data)?.value
    return value !== undefined && value !== null && value !== false
  }
}

function finishStream(
  asked: AnswerContext,
  mapping: NonNullable<HttpAgentConfig['event']>,
  draft: StreamDraft,
  cut: InfrastructureError | undefined,
): HttpAnswer {
  const { from } = asked
  if (!draft.ended && cut !== undefined) throw cut
  if (!draft.ended && mapping.end !== undefined) {
    const message = `the stream of ${from} ended without its end marker (${mapping.end}), after: ${shortenStart(draft.text, maxShownEnd)}`
    throw new InfrastructureError('truncated', message, { retryable: true })
  }
  const newestFirst = draft.events.toReversed()
  const answer: HttpAnswer = {
    from,
    whole: newestFirst[0],
    raw: draft.last,
    isStream: true,
    find(path) {
      for (const data of newestFirst) {
        const found = path(data)
        if (found !== undefined) return found
      }
      return undefined
    },
    ...(draft.hasText ? { streamed: draft.text } : {}),
  }
  if (draft.hasText || asked.mapped) return answer
  throw badAnswerError(
    answer,
    `has no event with a value at ${mapping.delta} (\`event.delta\` in the config)`,
  )
}
