import { cutText } from '../../text/shorten.ts'

/** Endless output must not fill the memory of the processes that pass it on. */
const maxCharacters = 1_000_000

type Write = typeof process.stdout.write

/**
 * Sends the output of user code by message at once: what goes through a worker's own streams is lost when the worker is
 * terminated. `console` writes to these streams, too.
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

/** Passes text on until a call has used up its share. */
export function limitOutput(send: (text: string) => void): (text: string) => void {
  let left = maxCharacters
  return (text) => {
    if (left <= 0) return
    left -= text.length
    send(left > 0 ? text : `${cutText(text, text.length + left)}…\n[the rest of the output is left out]\n`)
  }
}

/** A line longer than this is passed on in pieces. */
const maxOutputLine = 100_000

/** Joins pieces of text into whole lines. Several lines that arrive at once stay together. */
export function createLineJoiner(onLine: (line: string) => void): { write(text: string): void; end(): void } {
  // Joined when their line ends: appending each piece to the last would take quadratic time.
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
      if (length > maxOutputLine) flush()
    },
    end: flush,
  }
}
