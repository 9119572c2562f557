import {
  appendFileSync,
  closeSync,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { isRecord, parseJson } from '../../json/json.ts'
import { KeyNumbers } from '../../results/columns/key-numbers.ts'
import type { ResultKey } from '../../results/key.ts'

const newline = 0x0a
/** How much of the file is in memory at once. */
const chunkBytes = 2 ** 18
const standardLimit = 4 * 1024 * 1024
/** The newest lines of all cases may take this many times the limit together. */
const mostLimits = 8
/** No rotation takes that long: the process that started it was killed. */
const abandonedAfterMs = 60_000

/** Removes the older half of a history that is larger than `limit` bytes, but keeps the newest line of each case. */
export function rotateHistory(path: string, limit = standardLimit): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined || found.size <= limit) return
  // A symbolic link stays one.
  const target = realpathSync(path)
  const unlock = lockUnlessLocked(`${target}.rotating`)
  if (unlock === undefined) return
  try {
    replace(target, limit)
  } finally {
    unlock()
  }
}

/** Writes a new file and renames it. */
function replace(path: string, limit: number): void {
  const part = `${path}.part`
  const descriptor = openSync(path, 'r')
  try {
    const { size, mode } = fstatSync(descriptor)
    const from = Math.max(0, size - limit * mostLimits)
    const { kept, end } = findNewest(readBackwards(descriptor, from, size), limit)
    copyRanges(descriptor, kept, part, mode)
    renameSync(part, path)
    // Another run may have appended meanwhile. One that comes later sees that the file was replaced.
    const late = readRange(descriptor, end ?? from, fstatSync(descriptor).size)
    if (late.length > 0) appendFileSync(path, late)
  } finally {
    closeSync(descriptor)
    rmSync(part, { force: true })
  }
}

type Range = [start: number, end: number]

function copyRanges(descriptor: number, ranges: readonly Range[], path: string, mode: number): void {
  const copy = openSync(path, 'w', mode)
  try {
    const chunk = Buffer.allocUnsafeSlow(chunkBytes)
    for (const [start, end] of ranges) {
      for (let at = start; at < end; at += chunkBytes) {
        const bytes = chunk.subarray(0, Math.min(end - at, chunkBytes))
        writeFileSync(copy, bytes.subarray(0, readInto(bytes, descriptor, at)))
      }
    }
  } finally {
    closeSync(copy)
  }
}

/** Undefined when another run is rotating: two at once would undo each other's work. */
function lockUnlessLocked(lock: string): (() => void) | undefined {
  try {
    closeSync(openSync(lock, 'wx'))
    return () => rmSync(lock, { force: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const begun = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
    // The next run may try.
    if (Date.now() - begun > abandonedAfterMs) rmSync(lock, { force: true })
    return undefined
  }
}

/** The lines to keep, as ranges of bytes from the oldest to the newest, and the end of the last whole line. */
function findNewest(lines: Iterable<LineRange>, limit: number): { kept: Range[]; end: number | undefined } {
  const kept: Range[] = []
  const seen = new KeyNumbers()
  let size = 0
  let newest: number | undefined
  for (const { start, end, text } of lines) {
    // Another run may be writing the last line right now.
    if (!text.endsWith('\n')) continue
    newest ??= end
    const isBlank = text === '\n'
    const name = isBlank ? undefined : readName(text)
    size += end - start
    const isNewest = name !== undefined && seen.find(name) === undefined
    if (isNewest || (size <= limit / 2 && !isBlank)) extend(kept, [start, end])
    if (name !== undefined) seen.add(name)
  }
  return { kept: kept.reverse(), end: newest }
}

/** Adds a range that lies before the last one. If nothing is between them, they become one. */
function extend(ranges: Range[], [start, end]: Range): void {
  const last = ranges.at(-1)
  if (last?.[0] === end) last[0] = start
  else ranges.push([start, end])
}

interface LineRange {
  start: number
  end: number
  /** With its line end, if it has one. */
  text: string
}

/** The lines of a part of the file, from the last to the first. Only a chunk of it is in memory. */
function* readBackwards(descriptor: number, from: number, to: number): Generator<LineRange> {
  // The chunk, and after it the end of a line that begins in the chunk.
  let bytes = Buffer.allocUnsafeSlow(2 * chunkBytes)
  let rest = 0
  for (let chunkEnd = to; chunkEnd > from; ) {
    const chunkStart = Math.max(from, chunkEnd - chunkBytes)
    const length = chunkEnd - chunkStart
    if (length + rest > bytes.length) bytes = Buffer.concat([bytes], 2 * (length + rest))
    bytes.copyWithin(length, 0, rest)
    readInto(bytes.subarray(0, length), descriptor, chunkStart)
    let end = length + rest
    // The line break at its own end does not count; a negative offset would be counted from the end.
    const startOfLine = () => (end < 2 ? 0 : bytes.lastIndexOf(newline, end - 2) + 1)
    for (let start = startOfLine(); start > 0; start = startOfLine()) {
      yield { start: chunkStart + start, end: chunkStart + end, text: bytes.toString('utf8', start, end) }
      end = start
    }
    rest = end
    chunkEnd = chunkStart
  }
  if (rest > 0) yield { start: from, end: from + rest, text: bytes.toString('utf8', 0, rest) }
}

/** Undefined if the line cannot be read. */
function readName(text: string): ResultKey | undefined {
  const line = parseJson(text)
  if (!isRecord(line)) return undefined
  const { file, id, variant } = line
  const isNamed = typeof file === 'string' && typeof id === 'string' && typeof variant === 'string'
  return isNamed ? { file, id, variant, run: 0 } : undefined
}

function readRange(descriptor: number, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from)
  return bytes.subarray(0, readInto(bytes, descriptor, from))
}

/** Returns the number of bytes that were read: fewer than wanted at the end of the file. */
function readInto(bytes: Buffer, descriptor: number, from: number): number {
  let length = 0
  while (length < bytes.length) {
    const more = readSync(descriptor, bytes, length, bytes.length - length, from + length)
    if (more === 0) break
    length += more
  }
  return length
}
