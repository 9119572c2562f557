import { InfrastructureError } from '../../../errors.ts'
import { isRecord, parseJson } from '../../../json/json.ts'
import type { BodyReader, HttpHead } from '../../../models/http-client.ts'
import { mayBeTruncated, readStatusError } from '../../../models/http-errors.ts'
import { redactUrl } from '../../../models/network/address.ts'
import {
  createBadResponseError,
  createBeginning,
  describeCut,
  readText,
} from '../../../models/read-answer.ts'
import { createServerSentEventParser } from '../../../models/sse.ts'
import type { HttpFormatName } from '../../../project/http-formats.ts'
import type { Reply } from '../../../results/transcript/reply.ts'
import type { Scope } from '../../../scope/scope.ts'
import { parseWholeAnswer } from '../http-answer.ts'
import type { Misfit } from '../http-request.ts'
import { isAgentFault } from '../status-fault.ts'
import {
  endMarker,
  type FormatEvent,
  type FormatReader,
  type FormatRequest,
  type HttpFormat,
} from './format.ts'
import { guessFormat, isFormatEvent } from './guess-format.ts'

/** What a server answers to a request that it does not understand, unless it fails at it. */
const foreignStatuses = [400, 405, 415, 422]

/** How long a server may be silent after an answer that is finished, but not ended. */
const silenceMs = 30_000

/** The part of the time that is left which such a silence may take: the answer is to be taken before the time is up. */
const silenceShare = 0.9

/** An answer that is being read. */
export interface FormatReading {
  read(head: HttpHead): BodyReader<Reply>
  misfit(): Misfit | undefined
  /** The time between the last event of an answer without an end marker and its being taken. */
  waitedMs(): number
}

interface AnswerReader extends BodyReader<Reply> {
  misfit(): AnswerMisfit | undefined
  waitedMs?(): number
}

interface AnswerMisfit extends Pick<Misfit, 'isFinal'> {
  error: InfrastructureError
}

/** The time of the call that is answered. */
type AnswerTime = Pick<Scope, 'clock' | 'deadline'>

/** Chooses the reader by what the answer says about itself, not by what was requested. */
export function createReadFormat(
  name: HttpFormatName,
  format: HttpFormat,
  sent: FormatRequest,
  time: AnswerTime,
): FormatReading {
  let answer: AnswerReader | undefined
  const begin = createBeginning()
  const withFormat = (error: InfrastructureError) => nameFormat(error, name, guessFormat(sent, begin.text()))
  return {
    read(head) {
      if (head.status >= 300)
        return mapErrors(readStatusError(sent.url, head, sent.keySent), (error) =>
          nameSent(error, name, sent),
        )
      const reader = format.createReader({ ...sent, begin: begin.text })
      const isStream = String(head.headers['content-type']).toLowerCase().includes('event-stream')
      const read = isStream ? readEvents : readUndeclared
      const current = read({ sent, head, reader, time })
      answer = current
      const push = (chunk: Buffer) => {
        begin.push(chunk)
        return current.push(chunk)
      }
      return mapErrors({ ...current, push }, (error) => withFormat(withoutRetry(error, reader.calledTools())))
    },
    misfit() {
      const misfit = answer?.misfit()
      return misfit && { problem: withFormat(misfit.error).message, isFinal: misfit.isFinal }
    },
    waitedMs: () => answer?.waitedMs?.() ?? 0,
  }
}

function mapErrors(
  reader: BodyReader<Reply>,
  change: (error: InfrastructureError) => Error,
): BodyReader<Reply> {
  const attempt = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw error instanceof InfrastructureError ? change(error) : error
    }
  }
  return {
    push: (chunk) => attempt(() => reader.push(chunk)),
    graceMs: () => reader.graceMs?.(),
    end: (cut) => attempt(() => reader.end(cut)),
  }
}

/** An answer that does not fit is most often that of another protocol. */
function nameFormat(
  error: InfrastructureError,
  name: HttpFormatName,
  guess: HttpFormatName | undefined,
): InfrastructureError {
  if (error.kind !== 'bad_response') return error
  const hint = guess === undefined || guess === name ? '' : ` It looks like \`format: "${guess}"\``
  const message = `${error.message} (read as \`format: "${name}"\`: is that the protocol of this URL?${hint})`
  return new InfrastructureError('bad_response', message, { cause: error })
}

/** A server that expects another protocol refuses the first request, or fails at it. */
function nameSent(
  error: InfrastructureError,
  name: HttpFormatName,
  { turns }: FormatRequest,
): InfrastructureError {
  const { kind, message, status = 0, retryable, retryAfterMs } = error
  if (turns.length > 0 || kind !== 'http' || !(foreignStatuses.includes(status) || isAgentFault(status)))
    return error
  const named = `${message} (sent as \`format: "${name}"\`: is that the protocol of this URL?)`
  return new InfrastructureError(kind, named, { status, retryable, retryAfterMs, cause: error })
}

/** What a tool has done must not be done twice. */
function withoutRetry(error: InfrastructureError, [tool]: readonly string[]): InfrastructureError {
  const { kind, message, status, retryable } = error
  if (!retryable || tool === undefined) return error
  const reason = `the request is not sent again, because the agent had called the tool ${tool}`
  return new InfrastructureError(kind, `${message} (${reason})`, { status, cause: error })
}

/** An answer that has begun, and what reads it. */
interface BegunAnswer {
  sent: FormatRequest
  head: HttpHead
  reader: FormatReader
  time: AnswerTime
}

/** Some servers do not declare their stream as one: its first characters show it. */
function readUndeclared(begun: BegunAnswer): AnswerReader {
  let start = Buffer.alloc(0)
  let chosen: AnswerReader | undefined
  const choose = () => {
    const isStream = /^\uFEFF?(?:data|event|id|retry|):/.test(start.toString())
    chosen = isStream ? readEvents(begun) : readWhole(begun)
    return chosen
  }
  return {
    push(chunk) {
      if (chosen !== undefined) return chosen.push(chunk)
      start = Buffer.concat([start, chunk])
      return start.length >= longestStart && choose().push(start)
    },
    graceMs: () => chosen?.graceMs?.(),
    end(cut) {
      if (chosen === undefined) choose().push(start)
      return (chosen ?? choose()).end(cut)
    },
    misfit: () => chosen?.misfit(),
    waitedMs: () => chosen?.waitedMs?.() ?? 0,
  }
}

/** A byte order mark and `event:` */
const longestStart = 9

function readWhole({ sent, head, reader }: BegunAnswer): AnswerReader {
  const begin: Buffer[] = []
  const whole = readText((text) => {
    const answer = parseWholeAnswer({ from: redactUrl(sent.url), mapped: true }, head, text)
    if (!isRecord(answer)) throw createBadResponseError(sent, 'is not a JSON object', text)
    if (reader.addWhole === undefined) throw createBadResponseError(sent, 'is not an event stream', text)
    reader.addWhole(answer)
    return reader.buildReply()
  })
  return {
    push(chunk) {
      if (begin.length === 0) begin.push(chunk)
      return whole.push(chunk)
    },
    end: whole.end,
    misfit: () => findBodyMisfit(sent, reader, begin[0]?.toString() ?? ''),
  }
}

/** A web page is no answer in any format, and JSON is none where a stream is needed. */
function findBodyMisfit(sent: FormatRequest, reader: FormatReader, begin: string): AnswerMisfit | undefined {
  const [first] = begin.replace(/^\uFEFF/, '').trimStart()
  const isJson = first === '{' || first === '['
  if (first === undefined || (isJson && reader.addWhole !== undefined)) return undefined
  const fault = reader.addWhole === undefined ? 'is not an event stream' : 'is not a JSON object'
  return { error: createBadResponseError(sent, fault, begin), isFinal: isJson || first === '<' }
}

function readEvents({ sent, head, reader, time }: BegunAnswer): AnswerReader {
  let misfit: AnswerMisfit | undefined
  let isKnown = false
  /** When the answer was finished, and how long to wait for more since then. */
  let finished: { at: number; graceMs: number } | undefined
  let waitedMs = 0
  const parser = createServerSentEventParser(({ event, data: text }) => {
    if (reader.isEnded() || text === '' || isKeepAliveName(event)) return
    const data = text === endMarker ? text : parseJson(text)
    if (data === undefined) throw createBadResponseError(sent, 'has an event that is not JSON', text)
    if (isRecord(data) && isKeepAliveName(data.type)) return
    const isOfFormat = reader.add({ event, data })
    if (isOfFormat)
      finished = reader.isFinished?.() ? { at: time.clock(), graceMs: chooseGrace(time) } : undefined
    isKnown ||= isOfFormat && data !== endMarker
    if (!isKnown && !misfit?.isFinal)
      misfit = chooseMisfit(misfit, describeUnknown(sent, { event, data }, text))
  })
  return {
    push(chunk) {
      parser.push(chunk)
      return reader.isEnded()
    },
    graceMs: () => finished && finished.graceMs - (time.clock() - finished.at),
    end(cut) {
      if (cut === undefined) parser.end()
      if (finished !== undefined && !reader.isEnded()) waitedMs = time.clock() - finished.at
      if (!isKnown) throw misfit?.error ?? createCutError(sent, reader, cut)
      if (reader.isComplete(cut !== undefined || mayBeTruncated(head))) return reader.buildReply()
      throw createCutError(sent, reader, cut)
    },
    misfit: () => (isKnown ? undefined : misfit),
    waitedMs: () => waitedMs,
  }
}

/** However it was noticed, the message says where the answer ends. */
function createCutError(
  sent: FormatRequest,
  reader: FormatReader,
  cut: InfrastructureError | undefined,
): InfrastructureError {
  if (cut !== undefined && cut.kind !== 'truncated') return cut
  const tool = reader.openTool()
  const where = tool === undefined ? describeCut(reader.text()) : `within the call of the tool ${tool}`
  const what = cut?.message ?? `the answer of ${redactUrl(sent.url)} ended too early`
  const { retryable = true } = cut ?? {}
  return new InfrastructureError('truncated', `${what}, ${where}`, { retryable, cause: cut })
}

function chooseGrace({ deadline }: AnswerTime): number {
  return Math.min(silenceMs, Math.max(0, deadline - Date.now()) * silenceShare)
}

/** Of events that say only that the connection is alive. */
function isKeepAliveName(name: unknown): boolean {
  return typeof name === 'string' && /^(?:ping|keep[-_]?alive|heart[-_]?beat)$/i.test(name)
}

/** An event that the format does not have. Servers may add some of their own, but those of another format show a mistake. */
function describeUnknown(sent: FormatRequest, event: FormatEvent, text: string): AnswerMisfit {
  const error = createBadResponseError(sent, 'has no event of this format', text)
  return { error, isFinal: isFormatEvent(sent, event) }
}

/** The first event shows best what came, unless a later one shows which format it is. */
function chooseMisfit(first: AnswerMisfit | undefined, next: AnswerMisfit): AnswerMisfit {
  return first === undefined || next.isFinal ? next : first
}
