import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { errorMessage, OutputError } from '../../errors.ts'
import { parseJson } from '../../json/json.ts'
import type { Key } from '../../results/key.ts'
import { FileLock, LockedError } from '../../results/lock.ts'
import { startOfRecording } from '../../results/written-by-run.ts'
import { type FileLine, readFileLines } from '../../system/read-lines.ts'
import { replaceFile } from '../../system/replace-file.ts'
import { resolveLinks } from '../../system/resolve-links.ts'
import { type PlayLine, playName, sealLine, unsealLine } from './line.ts'
import { newHeader } from './recorder.ts'
import { addPlace, type Range, type RecordedPlace, refuseNewer, refuseOtherFiles } from './recording.ts'

export interface PruneOptions {
  /** Plays of other cases are removed. */
  isWanted(key: Key): boolean
  /** Nothing is written. */
  isDry: boolean
}

/** What was removed from a recording. */
export interface Pruned {
  bytesBefore: number
  bytesAfter: number
  /** The number of plays that a later run has recorded again. */
  replaced: number
  /** The plays of cases that are not wanted. */
  unwanted: Key[]
  damaged: DamagedLine[]
}

interface DamagedLine {
  line: number
  /** `damaged, or changed by hand` */
  problem: string
}

/** Removes from a recording what is not needed any more, and lines that cannot be read. */
export async function pruneRecording(
  path: string,
  shown: string,
  { isWanted, isDry }: PruneOptions,
): Promise<Pruned> {
  refuseOtherFiles(path, shown)
  const lock = isDry ? undefined : takeLock(path, shown)
  try {
    const scan = await scanLines(path, shown)
    const { parts, unwanted } = chooseParts(scan, isWanted)
    const bytesBefore = statSync(path).size
    const bytesAfter = parts.reduce((sum, part) => sum + partLength(part), 0)
    if (lock !== undefined && (bytesAfter !== bytesBefore || scan.damaged.length > 0))
      writeParts(path, shown, parts, lock)
    return { bytesBefore, bytesAfter, unwanted, replaced: scan.replaced, damaged: scan.damaged }
  } finally {
    lock?.release()
  }
}

function takeLock(path: string, shown: string): FileLock {
  try {
    return new FileLock(path)
  } catch (error) {
    if (error instanceof LockedError) throw error
    throw new OutputError(`${shown} cannot be written: ${errorMessage(error)}`)
  }
}

/** A line as it is in the file, or a new one. */
type Part = { range: Range; isComplete: boolean } | string

interface Scan {
  headers: { start: number; part: Part }[]
  plays: Map<string, RecordedPlace>
  tools: Map<string, Range>
  /** Where the last line begins, if no line end follows it. */
  openEnd: number | undefined
  replaced: number
  damaged: DamagedLine[]
}

async function scanLines(path: string, shown: string): Promise<Scan> {
  const scan: Scan = {
    headers: [],
    plays: new Map(),
    tools: new Map(),
    openEnd: undefined,
    replaced: 0,
    damaged: [],
  }
  for await (const line of readFileLines(path)) scanLine(line, scan, shown)
  return scan
}

function scanLine(line: FileLine, scan: Scan, shown: string): void {
  const { text, number, bytes, complete } = line
  if (text === '') return
  if (text.startsWith(startOfRecording)) refuseNewer(parseJson(text), shown)
  if (!complete) scan.openEnd = bytes[0]
  const read = unsealLine(text)
  if (read?.type === 'tools') scan.tools.set(read.server, bytes)
  else if (read?.type === 'play') scanPlay(read, line, scan)
  else if (read?.type === 'recording')
    scan.headers.push({ start: bytes[0], part: { range: bytes, isComplete: complete } })
  else {
    scan.damaged.push({ line: number, problem: complete ? 'damaged, or changed by hand' : 'incomplete' })
    // It may have been a header: what follows must not be added to the plays of an earlier run.
    if (!/^\{"type":"(play|tools)"/.test(text))
      scan.headers.push({ start: bytes[0], part: sealLine(JSON.stringify(newHeader())) })
  }
}

function scanPlay(play: PlayLine, { bytes, number }: FileLine, scan: Scan): void {
  const known = scan.plays.get(playName(play))
  const run = scan.headers.length - 1
  if (play.more && known === undefined) {
    scan.damaged.push({ line: number, problem: `the beginning of the play of ${play.id} is missing` })
    return
  }
  if (known !== undefined && !play.more && known.run !== run) scan.replaced += 1
  addPlace(scan.plays, play, bytes, run)
}

/** In the order of the file, each run with its header. */
function chooseParts(
  { headers, plays, tools, openEnd }: Scan,
  isWanted: (key: Key) => boolean,
): { parts: Part[]; unwanted: Key[] } {
  const unwanted: Key[] = []
  const ranges = [...tools.values()]
  for (const [name, { lines }] of plays) {
    const [file, id, variant, run, attempt] = JSON.parse(name) as [string, string, string, number, number]
    const key = { file, id, variant, run, attempt }
    if (isWanted(key)) ranges.push(...lines)
    else unwanted.push(key)
  }
  ranges.sort(([one], [other]) => one - other)
  const parts: Part[] = []
  let [next, written] = [0, -1]
  for (const range of ranges) {
    while ((headers[next]?.start ?? Infinity) < range[0]) next += 1
    const header = headers[next - 1]
    if (header !== undefined && written !== next) parts.push(header.part)
    written = next
    parts.push({ range, isComplete: range[0] !== openEnd })
  }
  const [first] = headers
  return { parts: parts.length === 0 && first !== undefined ? [first.part] : parts, unwanted }
}

function partLength(part: Part): number {
  if (typeof part === 'string') return Buffer.byteLength(part)
  const [start, end] = part.range
  return end - start + (part.isComplete ? 0 : 1)
}

function writeParts(path: string, shown: string, parts: readonly Part[], lock: FileLock): void {
  const descriptor = openSync(path, 'r')
  try {
    replaceFile(resolveLinks(path), readParts(descriptor, parts, lock))
  } catch (error) {
    throw new OutputError(`${shown} cannot be written: ${errorMessage(error)}`)
  } finally {
    closeSync(descriptor)
  }
}

function* readParts(descriptor: number, parts: readonly Part[], lock: FileLock): Generator<Uint8Array> {
  for (const part of parts) {
    if (typeof part === 'string') {
      yield Buffer.from(part)
      continue
    }
    const [start, end] = part.range
    const bytes = Buffer.alloc(end - start)
    readSync(descriptor, bytes, 0, bytes.length, start)
    yield bytes
    if (!part.isComplete) yield Buffer.from('\n')
  }
  lock.assertHeld()
}
