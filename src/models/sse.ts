import { StringDecoder } from 'node:string_decoder'
import { createParser } from 'eventsource-parser'

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
  const parser = createParser({ onEvent: ({ event = 'message', data }) => receive({ event, data }) })
  // Keeps the first bytes of a character that is split across chunks.
  const decoder = new StringDecoder('utf8')
  let isStart = true
  let afterCarriageReturn = false

  /** The parser waits for the next chunk after a CR, which may never come: it only sees line feeds. */
  function withLineFeeds(text: string): string {
    const rest = dropFirst(text)
    if (text !== '') afterCarriageReturn = text.endsWith('\r')
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest
  }

  /** Without a byte order mark, and without the second half of a line break. */
  function dropFirst(text: string): string {
    const isMark = isStart && text.startsWith('\uFEFF')
    if (text !== '') isStart = false
    return isMark || (afterCarriageReturn && text.startsWith('\n')) ? text.slice(1) : text
  }

  return {
    push(chunk) {
      parser.feed(withLineFeeds(decoder.write(chunk)))
    },
    end() {
      parser.feed(withLineFeeds(`${decoder.end()}\n\n`))
    },
  }
}
