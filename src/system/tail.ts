import { shorten } from '../text/shorten.ts'

/** The last lines that a process printed, kept for error messages. */
export interface Tail {
  add(line: string): void
  /** The lines as the end of a message; empty when nothing was printed. */
  text(): string
}

const keptLines = 20
const maxTailLineLength = 500

export function createTail(): Tail {
  const lines: string[] = []
  return {
    add(line) {
      lines.push(shorten(line, maxTailLineLength))
      if (lines.length > keptLines) lines.shift()
    },
    text() {
      const text = lines.join('\n').trim()
      return text === '' ? '' : `. Its last lines:\n${text}`
    },
  }
}
