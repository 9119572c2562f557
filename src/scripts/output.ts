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
    send(left > 0 ? text : `${text.slice(0, text.length + left)}\n[the rest of the output is left out]\n`)
  }
}

/** Puts pieces of text together to whole lines. What came as several lines at once stays together. */
export function createLines(onLine: (line: string) => void): { write(text: string): void; end(): void } {
  let open = ''
  return {
    write(text) {
      const all = open + text
      const end = all.lastIndexOf('\n')
      open = all.slice(end + 1)
      if (end >= 0) onLine(all.slice(0, end))
    },
    end() {
      if (open !== '') onLine(open)
      open = ''
    },
  }
}
