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
import { caseText } from '../../results/stability.ts'
import { parseHistoryLine } from './line.ts'

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
    writeFileSync(part, keepNewest(bytes.toString('utf8', 0, length), limit), { mode })
    renameSync(part, path)
    // Another run may have appended meanwhile. One that comes later sees that the file was replaced.
    const late = read(descriptor, from + length, fstatSync(descriptor).size)
    if (late.length > 0) appendFileSync(path, late)
  } finally {
    closeSync(descriptor)
    rmSync(part, { force: true })
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

function keepNewest(text: string, limit: number): string {
  const kept: string[] = []
  const seen = new Set<string>()
  let size = 0
  for (const line of text.split('\n').reverse()) {
    if (line === '') continue
    const parsed = parseHistoryLine(line)
    const name = parsed && caseText(parsed)
    size += Buffer.byteLength(line) + 1
    if (size <= limit / 2 || (name !== undefined && !seen.has(name))) kept.push(`${line}\n`)
    if (name !== undefined) seen.add(name)
  }
  return kept.reverse().join('')
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
