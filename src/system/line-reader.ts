import type { Readable } from 'node:stream'

/** Longer lines come in pieces, so that a line that never ends cannot fill the memory. */
const maxLineLength = 64 * 1024 * 1024

/** Gives out what a stream brings, line by line; the last one need not be ended. */
export function eachLine(stream: Readable | null, onLine: (line: string) => void): void {
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
    if (length > maxLineLength) flush()
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
