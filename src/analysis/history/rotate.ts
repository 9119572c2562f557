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
import { caseText } from '../../results/stability.ts'

const newline = 0x0a
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
    const bytes = read(descriptor, from, size)
    // Another run may be writing a line right now.
    const length = bytes.lastIndexOf('\n') + 1
    writeRanges(part, bytes, findNewest(bytes.subarray(0, length), limit), mode)
    renameSync(part, path)
    // Another run may have appended meanwhile. One that comes later sees that the file was replaced.
    const late = read(descriptor, from + length, fstatSync(descriptor).size)
    if (late.length > 0) appendFileSync(path, late)
  } finally {
    closeSync(descriptor)
    rmSync(part, { force: true })
  }
}

type Range = [start: number, end: number]

function writeRanges(path: string, bytes: Buffer, ranges: readonly Range[], mode: number): void {
  const descriptor = openSync(path, 'w', mode)
  try {
    for (const [start, end] of joinRanges(ranges)) writeFileSync(descriptor, bytes.subarray(start, end))
  } finally {
    closeSync(descriptor)
  }
}

/** Ranges that follow one another become one. */
function joinRanges(ranges: readonly Range[]): Range[] {
  const joined: Range[] = []
  for (const [start, end] of ranges) {
    const last = joined.at(-1)
    if (last?.[1] === start) last[1] = end
    else joined.push([start, end])
  }
  return joined
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

/** The lines to keep, as ranges of bytes from the oldest to the newest. Texts of all lines would take ten times the memory. */
function findNewest(bytes: Buffer, limit: number): Range[] {
  const kept: Range[] = []
  const seen = new Set<string>()
  let size = 0
  for (let end = bytes.length; end > 0; ) {
    // A negative offset would be counted from the end.
    const start = end < 2 ? 0 : bytes.lastIndexOf(newline, end - 2) + 1
    const isBlank = end - start === 1
    const name = isBlank ? undefined : readName(bytes.toString('utf8', start, end))
    size += end - start
    const isNewest = name !== undefined && !seen.has(name)
    if (isNewest || (size <= limit / 2 && !isBlank)) kept.push([start, end])
    if (name !== undefined) seen.add(name)
    end = start
  }
  return kept.reverse()
}

/** Undefined if the line cannot be read. */
function readName(text: string): string | undefined {
  const line = parseJson(text)
  if (!isRecord(line)) return undefined
  const { file, id, variant } = line
  const isNamed = typeof file === 'string' && typeof id === 'string' && typeof variant === 'string'
  return isNamed ? caseText({ file, id, variant }) : undefined
}

function read(descriptor: number, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from)
  let length = 0
  while (length < bytes.length) {
    const more = readSync(descriptor, bytes, length, bytes.length - length, from + length)
    if (more === 0) break
    length += more
  }
  return bytes.subarray(0, length)
}
