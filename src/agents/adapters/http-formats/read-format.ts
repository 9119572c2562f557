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

/** Chooses the reader by what the answer says about itself, not by what was requested. */
export function createReadFormat(
  name: HttpFormatName,
  format: HttpFormat,
  sent: FormatRequest,
): (head: HttpHead) => BodyReader<Reply> {
  return (head) => {
    if (head.status >= 300) return readStatusError(sent.url, head, sent.keySent)
    const reader = format.createReader(sent)
    const isStream = String(head.headers['content-type']).toLowerCase().includes('event-stream')
    return namingFormat(name, isStream ? readEvents(sent, head, reader) : readWhole(sent, head, reader))
  }
}

/** An answer that does not fit is most often that of another protocol. */
function namingFormat(name: HttpFormatName, reader: BodyReader<Reply>): BodyReader<Reply> {
  const attempt = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof InfrastructureError) || error.kind !== 'bad_response') throw error
      const message = `${error.message} (read as \`format: "${name}"\`: is that the protocol of this URL?)`
      throw new InfrastructureError('bad_response', message, { cause: error })
    }
  }
  return { push: (chunk) => attempt(() => reader.push(chunk)), end: (cut) => attempt(() => reader.end(cut)) }
}

function readWhole(sent: FormatRequest, head: HttpHead, reader: FormatReader): BodyReader<Reply> {
  return readText((text) => {
    // Some servers do not declare their stream as one.
    if (/^(?:data|event|id|):/.test(text)) {
      const events = readEvents(sent, head, reader)
      events.push(Buffer.from(text))
      return events.end(undefined)
    }
    const answer = parseWholeAnswer({ from: redactUrl(sent.url), mapped: true }, head, text)
    if (!isRecord(answer)) throw createBadResponseError(sent, 'is not a JSON object', text)
    if (reader.addWhole === undefined) throw createBadResponseError(sent, 'is not an event stream', text)
    reader.addWhole(answer)
    return reader.buildReply()
  })
}

function readEvents(sent: FormatRequest, head: HttpHead, reader: FormatReader): BodyReader<Reply> {
  let isKnown = false
  let unknown: string | undefined
  const parser = createServerSentEventParser(({ event, data: text }) => {
    if (reader.isEnded() || text === '') return
    const data = text === '[DONE]' ? text : parseJson(text)
    if (data === undefined) throw createBadResponseError(sent, 'has an event that is not JSON', text)
    if (reader.add({ event, data })) isKnown = true
    else unknown ??= text
  })
  return {
    push(chunk) {
      parser.push(chunk)
      return reader.isEnded()
    },
    end(cut) {
      if (cut === undefined) parser.end()
      if (!isKnown && unknown !== undefined)
        throw createBadResponseError(sent, 'has no event of this format', unknown)
      if (reader.isComplete(cut !== undefined || mayBeTruncated(head))) return reader.buildReply()
      throw cut ?? createTruncatedError(sent, reader.text())
    },
  }
}
