import { shorten } from '../text/shorten.ts'

/** The last lines of what a process printed, for when something is wrong with it. */
export interface Tail {
  add(line: string): void
  /** As the end of a message; empty when nothing was printed. */
  told(): string
}

const keptLines = 20
const longestLine = 500

export function createTail(): Tail {
  const lines: string[] = []
  return {
    add(line) {
      lines.push(shorten(line, longestLine))
      if (lines.length > keptLines) lines.shift()
    },
    told() {
      const text = lines.join('\n').trim()
      return text === '' ? '' : `. Its last lines:\n${text}`
    },
  }
}
