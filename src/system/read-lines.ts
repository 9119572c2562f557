import { createReadStream } from 'node:fs'
import { ConfigError } from '../errors.ts'

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
  let rest: Buffer[] = []
  let start = 0
  let number = 1
  const take = (end: number, complete: boolean): FileLine => {
    const buffer = rest.length === 1 ? (rest[0] as Buffer) : Buffer.concat(rest)
    rest = []
    const carriageReturn = buffer.at(-1) === 0x0d
    const text = decode(carriageReturn ? buffer.subarray(0, -1) : buffer, number === 1)
    const line: FileLine = { text, number, bytes: [start, end], complete, carriageReturn }
    start = end
    number += 1
    return line
  }
  let position = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
    let from = 0
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      rest.push(chunk.subarray(from, at))
      from = at + 1
      yield take(position + from, true)
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
    position += chunk.length
    if (position - start > maxLineMegabytes * 1024 * 1024) {
      const message = `line ${number} has more than ${maxLineMegabytes} MB`
      throw new ConfigError({ code: 'too_large', message, file: path, line: number, column: 1 })
    }
  }
  if (rest.length > 0) yield take(position, false)
}

function decode(buffer: Buffer, first: boolean): string {
  const text = buffer.toString('utf8')
  return first && text.startsWith('\uFEFF') ? text.slice(1) : text
}
