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
  // Keeps the first bytes of a character that is split across chunks, and drops a byte order mark.
  const decoder = new TextDecoder()
  let afterCarriageReturn = false

  /** The parser waits for the next chunk after a CR, which may never come: it only sees line feeds. */
  function withLineFeeds(text: string): string {
    const rest = afterCarriageReturn && text.startsWith('\n') ? text.slice(1) : text
    if (text !== '') afterCarriageReturn = text.endsWith('\r')
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest
  }

  return {
    push(chunk) {
      parser.feed(withLineFeeds(decoder.decode(chunk, { stream: true })))
    },
    end() {
      parser.feed(withLineFeeds(`${decoder.decode()}\n\n`))
    },
  }
}
