import { isRecord, parseJson } from '../../../json/json.ts'
import { createServerSentEventParser, type ServerSentEvent } from '../../../models/sse.ts'
import type { HttpFormatName } from '../../../project/http-formats.ts'
import type { Data } from '../../../results/transcript/message.ts'
import { endMarker, type FormatEvent, type FormatRequest, type HttpFormat } from './format.ts'
import { httpFormats } from './list.ts'

/** The format of an answer that begins like this, if its first event or its whole JSON shows one. */
export function guessFormat(sent: FormatRequest, begin: string): HttpFormatName | undefined {
  const whole = parseJson(begin)
  if (isRecord(whole)) return findFormat((format) => fitsWhole(format, sent, whole))
  const first = findFirstEvent(begin)
  const data = parseJson(first?.data ?? '')
  if (first === undefined || data === undefined) return undefined
  return findFormat((format) => knowsEvent(format, sent, { event: first.event, data }))
}

/** Whether any format has this event. */
export function isFormatEvent(sent: FormatRequest, event: FormatEvent): boolean {
  return findFormat((format) => knowsEvent(format, sent, event)) !== undefined
}

function findFormat(fits: (format: HttpFormat) => boolean): HttpFormatName | undefined {
  const names = Object.keys(httpFormats) as HttpFormatName[]
  return names.find((name) => fits(httpFormats[name]))
}

function findFirstEvent(begin: string): ServerSentEvent | undefined {
  let first: ServerSentEvent | undefined
  const parser = createServerSentEventParser((event) => {
    first ??= event
  })
  parser.push(Buffer.from(begin))
  return first
}

function knowsEvent(format: HttpFormat, sent: FormatRequest, event: FormatEvent): boolean {
  return event.data !== endMarker && (attempt(() => format.createReader(sent).add(event)) ?? false)
}

function fitsWhole(format: HttpFormat, sent: FormatRequest, answer: Data): boolean {
  const reply = attempt(() => {
    const reader = format.createReader(sent)
    reader.addWhole?.(answer)
    return reader.addWhole && reader.buildReply()
  })
  return reply !== undefined && (reply.content !== '' || reply.toolCalls.length > 0)
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
