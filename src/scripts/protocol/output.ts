import { cut } from '../../text/shorten.ts'

/** Printing without end must not fill the memory of the processes it goes through. */
const maxCharacters = 1_000_000

type Write = typeof process.stdout.write

/**
 * Sends what the user's code prints by message, at once: what goes through a worker's own streams is lost
 * when the worker is terminated. `console` writes to these streams too.
 */
export function captureOutput(send: (text: string) => void): void {
  for (const stream of [process.stdout, process.stderr]) {
    const write: Write = (chunk: Uint8Array | string, ...rest: unknown[]) => {
      send(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())
      const callback = rest.find((argument) => typeof argument === 'function')
      if (callback !== undefined) process.nextTick(callback)
      return true
    }
    stream.write = write
  }
}

/** Passes text on until a call has printed its share. */
export function createAllowance(send: (text: string) => void): (text: string) => void {
  let left = maxCharacters
  return (text) => {
    if (left <= 0) return
    left -= text.length
    send(left > 0 ? text : `${cut(text, text.length + left)}…\n[the rest of the output is left out]\n`)
  }
}

/** A line longer than this is passed on in pieces. */
const longestLine = 100_000

/** Puts pieces of text together to whole lines. What came as several lines at once stays together. */
export function createLines(onLine: (line: string) => void): { write(text: string): void; end(): void } {
  // Pieces, joined when their line ends: gluing each to the last would cost the square of their number.
  let open: string[] = []
  let length = 0
  const flush = () => {
    if (length > 0) onLine(open.join(''))
    open = []
    length = 0
  }
  return {
    write(text) {
      const end = text.lastIndexOf('\n')
      if (end >= 0) {
        onLine(open.join('') + text.slice(0, end))
        open = []
        length = 0
      }
      const rest = text.slice(end + 1)
      if (rest !== '') open.push(rest)
      length += rest.length
      if (length > longestLine) flush()
    },
    end: flush,
  }
}
