import { ConfigError } from '../errors.ts'
import { readChunks } from './read-chunks.ts'

export interface FileLine {
  /** Without its line end. */
  text: string
  number: number
  /** First and last byte offset in the file, line end included. */
  bytes: [number, number]
  /** Whether a line end follows: the last line of a torn file has none. */
  complete: boolean
  /** Whether it ends with CR, as in files from Windows. */
  carriageReturn: boolean
}

const newline = 0x0a
/** A line must fit into one string. */
const maxLineMegabytes = 256

/** Yields the lines of a file of any size, one at a time. An endless line is refused: that is not a text file. */
export async function* readFileLines(path: string): AsyncGenerator<FileLine> {
  for await (const lines of readLineBatches(path)) yield* lines
}

/** The same, as many at a time as were read at once: every step of an asynchronous loop takes a microsecond. */
export async function* readLineBatches(path: string): AsyncGenerator<FileLine[]> {
  const splitter = new LineSplitter(path)
  for await (const chunk of readChunks(path)) {
    const lines = splitter.push(chunk)
    if (lines.length > 0) yield lines
  }
  const last = splitter.end()
  if (last !== undefined) yield [last]
}

/** Splits the chunks of a file into lines. */
class LineSplitter {
  readonly #path: string
  /** The beginning of a line whose end has not come yet. */
  #rest: Buffer[] = []
  /** Where that line starts in the file, and how far the file has been read. */
  #start = 0
  #position = 0
  #number = 1

  constructor(path: string) {
    this.#path = path
  }

  push(chunk: Buffer): FileLine[] {
    const lines: FileLine[] = []
    let from = 0
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      this.#rest.push(chunk.subarray(from, at))
      from = at + 1
      lines.push(this.#take(this.#position + from, true))
    }
    // Copied, because the next chunk is read into the same buffer.
    if (from < chunk.length) this.#rest.push(Buffer.from(chunk.subarray(from)))
    this.#position += chunk.length
    if (this.#position - this.#start > maxLineMegabytes * 1024 * 1024) {
      const message = `line ${this.#number} has more than ${maxLineMegabytes} MB`
      throw new ConfigError({
        code: 'too_large',
        message,
        file: this.#path,
        line: this.#number,
        column: 1,
      })
    }
    return lines
  }

  end(): FileLine | undefined {
    return this.#rest.length === 0 ? undefined : this.#take(this.#position, false)
  }

  #take(end: number, complete: boolean): FileLine {
    const buffer = this.#rest.length === 1 ? (this.#rest[0] as Buffer) : Buffer.concat(this.#rest)
    this.#rest = []
    const carriageReturn = buffer.at(-1) === 0x0d
    const text = decode(carriageReturn ? buffer.subarray(0, -1) : buffer, this.#number === 1)
    const bytes: [number, number] = [this.#start, end]
    const line: FileLine = { text, number: this.#number, bytes, complete, carriageReturn }
    this.#start = end
    this.#number += 1
    return line
  }
}

function decode(buffer: Buffer, first: boolean): string {
  const text = buffer.toString('utf8')
  return first && text.startsWith('\uFEFF') ? text.slice(1) : text
}
