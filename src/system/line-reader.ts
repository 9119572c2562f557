import type { Readable } from 'node:stream'

/** Longer lines come in pieces, so that a line that never ends cannot fill the memory. */
const longestLine = 64 * 1024 * 1024

/** Calls back with each line of a stream; the last line need not end with a newline. */
export function readLines(stream: Readable | null, onLine: (line: string) => void): void {
  let pieces: string[] = []
  let length = 0
  const flush = () => {
    const line = pieces.join('').replace(/\r$/, '')
    pieces = []
    length = 0
    onLine(line)
  }
  const add = (piece: string) => {
    pieces.push(piece)
    length += piece.length
    if (length > longestLine) flush()
  }
  stream?.setEncoding('utf8').on('data', (text: string) => {
    const lines = text.split('\n')
    const rest = lines.pop() ?? ''
    for (const line of lines) {
      add(line)
      flush()
    }
    if (rest !== '') add(rest)
  })
  stream?.on('end', () => {
    if (length > 0) flush()
  })
}
