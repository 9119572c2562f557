import { StringDecoder } from 'node:string_decoder'

export interface ServerSentEvent {
  /** `message` when the server names none. */
  event: string
  data: string
}

export interface ServerSentEventParser {
  push(chunk: Uint8Array): void
  /** Emits what is left: some servers omit the blank line after their last event. */
  end(): void
}

/** Splits a `text/event-stream` body, in whatever pieces it arrives, into events. */
export function createServerSentEventParser(
  receive: (event: ServerSentEvent) => void,
): ServerSentEventParser {
  // A character may be split across chunks: the decoder keeps its first bytes until the rest arrives.
  const decoder = new StringDecoder('utf8')
  let event = ''
  let data: string[] = []
  let unfinished = ''
  let afterCarriageReturn = false
  let atStart = true

  function dispatch(): void {
    const complete = { event: event === '' ? 'message' : event, data: data.join('\n') }
    const isEvent = data.length > 0
    event = ''
    data = []
    if (isEvent) receive(complete)
  }

  function readLine(line: string): void {
    if (line === '') {
      dispatch()
      return
    }
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const start = line[colon + 1] === ' ' ? colon + 2 : colon + 1
    const value = colon === -1 ? '' : line.slice(start)
    if (field === 'data') data.push(value)
    else if (field === 'event') event = value
  }

  function readLines(text: string): void {
    // The LF of a CRLF that was split between two chunks.
    let lineStart = afterCarriageReturn && text.startsWith('\n') ? 1 : 0
    if (text !== '') afterCarriageReturn = text.endsWith('\r')
    for (let end = lineEnd(text, lineStart); end !== -1; end = lineEnd(text, lineStart)) {
      readLine(unfinished + text.slice(lineStart, end))
      unfinished = ''
      lineStart = text[end] === '\r' && text[end + 1] === '\n' ? end + 2 : end + 1
    }
    // Only new text is searched, so that one long line in many chunks stays linear.
    unfinished += text.slice(lineStart)
  }

  return {
    push(chunk) {
      let text = decoder.write(chunk)
      if (atStart && text !== '') {
        atStart = false
        if (text.startsWith('\uFEFF')) text = text.slice(1)
      }
      readLines(text)
    },
    end() {
      readLines(`${decoder.end()}\n\n`)
    },
  }
}

function lineEnd(text: string, from: number): number {
  const feed = text.indexOf('\n', from)
  const carriage = text.slice(from, feed === -1 ? undefined : feed).indexOf('\r')
  return carriage === -1 ? feed : from + carriage
}
