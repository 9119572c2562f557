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
import { OutputError } from '../errors.ts'
import { lockFile } from '../results/lock.ts'
import { caseText } from '../results/stability.ts'
import { parseHistoryLine } from './line.ts'

/** So many times the limit the newest lines of all cases may take together. */
const mostLimits = 8

/** A history above the limit loses its older half, but for the newest line of each case. */
export function rotateHistory(path: string, limit: number): void {
  if (statSync(path).size <= limit) return
  const unlock = unlessLocked(path)
  if (unlock === undefined) return
  try {
    replace(realpathSync(path), limit)
  } finally {
    unlock()
  }
}

function replace(path: string, limit: number): void {
  const part = `${path}.${process.pid}.part`
  const descriptor = openSync(path, 'r')
  try {
    const { size, mode } = fstatSync(descriptor)
    const from = Math.max(0, size - limit * mostLimits)
    writeFileSync(part, newestOf(read(descriptor, from, size).toString(), limit), { mode })
    renameSync(part, path)
    // What another run has appended meanwhile; one that comes later sees that the file is another one.
    const late = read(descriptor, size, fstatSync(descriptor).size)
    if (late.length > 0) appendFileSync(path, late)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}

function newestOf(text: string, limit: number): string {
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

/** Undefined when another run is at it. */
function unlessLocked(path: string): (() => void) | undefined {
  try {
    return lockFile(path)
  } catch (error) {
    if (error instanceof OutputError) return undefined
    throw error
  }
}
