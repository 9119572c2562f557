import { InfrastructureError } from '../../../errors.ts'
import { isRecord, parseJson } from '../../../json/json.ts'
import type { BodyReader, HttpHead } from '../../../models/http-client.ts'
import { mayBeTruncated, readStatusError } from '../../../models/http-errors.ts'
import { redactUrl } from '../../../models/network/address.ts'
import { createBadResponseError, createTruncatedError, readText } from '../../../models/read-answer.ts'
import { createServerSentEventParser } from '../../../models/sse.ts'
import type { HttpFormatName } from '../../../project/http-formats.ts'
import type { Reply } from '../../../results/transcript/reply.ts'
import { parseWholeAnswer } from '../http-answer.ts'
import type { FormatReader, FormatRequest, HttpFormat } from './format.ts'

/** An answer that is being read. */
export interface FormatReading {
  read(head: HttpHead): BodyReader<Reply>
  /** Why what came so far cannot be an answer in the format, if that is so. */
  misfit(): string | undefined
}

interface AnswerReader extends BodyReader<Reply> {
  misfit(): InfrastructureError | undefined
}

/** Chooses the reader by what the answer says about itself, not by what was requested. */
export function createReadFormat(
  name: HttpFormatName,
  format: HttpFormat,
  sent: FormatRequest,
): FormatReading {
  let answer: AnswerReader | undefined
  return {
    read(head) {
      if (head.status >= 300) return readStatusError(sent.url, head, sent.keySent)
      const reader = format.createReader(sent)
      const isStream = String(head.headers['content-type']).toLowerCase().includes('event-stream')
      answer = isStream ? readEvents(sent, head, reader) : readUndeclared(sent, head, reader)
      return mapErrors(answer, (error) => withFormat(name, withoutRetry(error, reader.calledTools())))
    },
    misfit() {
      const problem = answer?.misfit()
      return problem && withFormat(name, problem).message
    },
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
    isWhole: () => reader.isWhole?.() === true,
    end: (cut) => attempt(() => reader.end(cut)),
  }
}

/** An answer that does not fit is most often that of another protocol. */
function withFormat(name: HttpFormatName, error: InfrastructureError): InfrastructureError {
  if (error.kind !== 'bad_response') return error
  const message = `${error.message} (read as \`format: "${name}"\`: is that the protocol of this URL?)`
  return new InfrastructureError('bad_response', message, { cause: error })
}

/** What a tool has done must not be done twice. */
function withoutRetry(error: InfrastructureError, [tool]: readonly string[]): InfrastructureError {
  const { kind, message, status, retryable } = error
  if (!retryable || tool === undefined) return error
  const reason = `the request is not sent again, because the agent had called the tool ${tool}`
  return new InfrastructureError(kind, `${message} (${reason})`, { status, cause: error })
}

/** Some servers do not declare their stream as one: its first characters show it. */
function readUndeclared(sent: FormatRequest, head: HttpHead, reader: FormatReader): AnswerReader {
  let start = Buffer.alloc(0)
  let chosen: AnswerReader | undefined
  const choose = () => {
    const isStream = /^\uFEFF?(?:data|event|id|retry|):/.test(start.toString())
    chosen = isStream ? readEvents(sent, head, reader) : readWhole(sent, head, reader)
    return chosen
  }
  return {
    push(chunk) {
      if (chosen !== undefined) return chosen.push(chunk)
      start = Buffer.concat([start, chunk])
      return start.length >= longestStart && choose().push(start)
    },
    isWhole: () => chosen?.isWhole?.() === true,
    end(cut) {
      if (chosen === undefined) choose().push(start)
      return (chosen ?? choose()).end(cut)
    },
    misfit: () => chosen?.misfit(),
  }
}

/** A byte order mark and `event:` */
const longestStart = 9

function readWhole(sent: FormatRequest, head: HttpHead, reader: FormatReader): AnswerReader {
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
    misfit() {
      const [first] = begin
      if (first === undefined || reader.addWhole !== undefined) return undefined
      return createBadResponseError(sent, 'is not an event stream', first.toString())
    },
  }
}

function readEvents(sent: FormatRequest, head: HttpHead, reader: FormatReader): AnswerReader {
  let isKnown = false
  let unknown: string | undefined
  const parser = createServerSentEventParser(({ event, data: text }) => {
    if (reader.isEnded() || text === '') return
    const data = text === '[DONE]' ? text : parseJson(text)
    if (data === undefined) throw createBadResponseError(sent, 'has an event that is not JSON', text)
    if (reader.add({ event, data })) isKnown = true
    else unknown ??= text
  })
  const misfit = () =>
    isKnown || unknown === undefined
      ? undefined
      : createBadResponseError(sent, 'has no event of this format', unknown)
  return {
    push(chunk) {
      parser.push(chunk)
      return reader.isEnded()
    },
    isWhole: () => reader.isFinished?.() === true,
    end(cut) {
      if (cut === undefined) parser.end()
      const problem = misfit()
      if (problem !== undefined) throw problem
      if (reader.isComplete(cut !== undefined || mayBeTruncated(head))) return reader.buildReply()
      throw cut ?? createTruncatedError(sent, reader.text())
    },
    misfit,
  }
}
