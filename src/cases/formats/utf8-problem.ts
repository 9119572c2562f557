import { isUtf8 } from 'node:buffer'
import { createReadStream, statSync } from 'node:fs'
import type { FormatProblem } from './case-format.ts'

const newline = 0x0a

/** Finds the first line that is not UTF-8. Decoding it anyway would silently change the text. */
export async function utf8Problem(path: string): Promise<FormatProblem | undefined> {
  // A pipe can only be read once, so it is not checked here.
  if (!statSync(path).isFile()) return undefined
  let rest: Buffer = Buffer.alloc(0)
  let line = 1
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = findCharacterEnd(bytes)
    const whole = bytes.subarray(0, end)
    if (!isUtf8(whole)) return locateProblem(whole, line)
    line += countLines(whole)
    rest = bytes.subarray(end)
  }
  return isUtf8(rest) ? undefined : locateProblem(rest, line)
}

/** The end of the last complete character: the next chunk may contain the rest of it. */
function findCharacterEnd(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    if (length > back) return bytes.length - back
    if (length > 1 || byte < 0x80) break
  }
  return bytes.length
}

function locateProblem(bytes: Buffer, firstLine: number): FormatProblem {
  let line = firstLine
  let start = 0
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    if (!isUtf8(bytes.subarray(start, end))) break
    start = end + 1
    line += 1
  }
  // Bytes that cannot be decoded become the replacement character.
  const column = bytes.subarray(start).toString('utf8').indexOf('\uFFFD') + 1
  return { code: 'invalid_utf8', message: 'not valid UTF-8', line, column, hint: 'save the file as UTF-8' }
}

function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) count += 1
  return count
}
