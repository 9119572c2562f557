import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { ConfigError, errorMessage, OutputError } from '../../errors.ts'
import { FileLock } from '../../results/lock.ts'
import { transcriptMode } from '../../results/transcript-mode.ts'
import { makeFolder } from '../../system/make-folder.ts'
import { version } from '../../version.ts'
import { type HeaderLine, type RecordedTool, recordingVersion, sealLine, unsealLine } from './line.ts'

/** To look at the lock takes longer than to write a line. */
const checkEveryMs = 4

/**
 * Writes a recording. What is recorded before `start` waits until then. Each line is on disk before the result of its play
 * is reported.
 */
export class Recorder {
  readonly path: string
  readonly #shown: string
  readonly #isNew: boolean
  readonly #servers = new Set<string>()
  #waiting: string[] = []
  #file: { descriptor: number; lock: FileLock } | undefined
  #failure: OutputError | undefined
  /** When it was last checked that the lock is held. */
  #checkedAt = 0
  #hasHeader = false
  #hasLines = false

  /** `isNew`: a new file, which is never put in the place of another. Otherwise it goes on in a file that is a recording. */
  constructor(path: string, shown: string, { isNew }: { isNew: boolean }) {
    this.path = path
    this.#shown = shown
    this.#isNew = isNew
    if (!isNew || !isThere(path)) return
    if (existsSync(path) && statSync(path).isDirectory())
      throw new ConfigError({ code: 'bad_flag', message: `--record ${shown}: it is a folder` })
    throw existsError(shown)
  }

  /** Whether this run has recorded anything. */
  get hasLines(): boolean {
    return this.#hasLines
  }

  start(): void {
    const { path } = this
    let lock: FileLock | undefined
    try {
      makeFolder(dirname(path))
      lock = new FileLock(path)
      const descriptor = openSync(path, this.#isNew ? 'wx+' : 'a+', transcriptMode)
      mendLastLine(descriptor)
      this.#file = { descriptor, lock }
    } catch (error) {
      lock?.release()
      if (error instanceof ConfigError) throw error
      if (this.#isNew && (error as NodeJS.ErrnoException).code === 'EEXIST' && isThere(path))
        throw existsError(this.#shown)
      throw new OutputError(`${this.#shown} cannot be written: ${errorMessage(error)}`)
    }
    // In a file that is there, a run is noted when it has something to add.
    if (this.#isNew) this.#begin()
    for (const json of this.#waiting.splice(0)) this.write(json)
  }

  #begin(): void {
    if (this.#hasHeader) return
    this.#hasHeader = true
    this.#append(JSON.stringify(newHeader()))
  }

  write(json: string): void {
    if (this.#file === undefined) {
      this.#waiting.push(json)
      return
    }
    this.#begin()
    this.#hasLines = true
    this.#append(json)
  }

  #append(json: string): void {
    if (this.#file === undefined || this.#failure !== undefined) return
    try {
      this.#checkLock(this.#file.lock)
      const bytes = Buffer.from(sealLine(json))
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file.descriptor, bytes, at)
    } catch (error) {
      this.#failure = new OutputError(`${this.#shown} cannot be written: ${errorMessage(error)}`)
    }
  }

  #checkLock(lock: FileLock): void {
    const now = performance.now()
    if (now - this.#checkedAt < checkEveryMs) return
    lock.assertHeld()
    this.#checkedAt = now
  }

  /** The list of a server is written once. */
  writeTools(server: string, tools: readonly RecordedTool[]): void {
    if (this.#servers.has(server)) return
    this.#servers.add(server)
    this.write(JSON.stringify({ type: 'tools', server, tools }))
  }

  /** Throws when the recording is not complete. */
  close(): void {
    if (this.#file === undefined) return
    const { descriptor, lock } = this.#file
    this.#file = undefined
    try {
      fdatasyncSync(descriptor)
    } catch {
      // A device that cannot flush has the lines anyway.
    }
    closeSync(descriptor)
    lock.release()
    if (this.#failure !== undefined) throw this.#failure
  }
}

/** A last line without its end is given one if it is whole, and cut off if it is not: it would spoil the next one. */
function mendLastLine(descriptor: number): void {
  const { size } = fstatSync(descriptor)
  const end = lastLineStart(descriptor, size)
  if (end === size) return
  const bytes = Buffer.alloc(size - end)
  readSync(descriptor, bytes, 0, bytes.length, end)
  if (unsealLine(bytes.toString('utf8')) === undefined) ftruncateSync(descriptor, end)
  else writeSync(descriptor, '\n')
}

const chunkBytes = 65_536

function lastLineStart(descriptor: number, size: number): number {
  const chunk = Buffer.alloc(chunkBytes)
  for (let end = size; end > 0; end -= chunkBytes) {
    const start = Math.max(0, end - chunkBytes)
    const read = readSync(descriptor, chunk, 0, end - start, start)
    const found = chunk.subarray(0, read).lastIndexOf(0x0a)
    if (found !== -1) return start + found + 1
  }
  return 0
}

/** A link that leads nowhere is there, too. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path) !== undefined
  } catch {
    return false
  }
}

function existsError(shown: string): ConfigError {
  const hint = 'choose another name, or remove it'
  return new ConfigError({ code: 'recording_exists', message: `recording ${shown}: the file exists`, hint })
}

export function newHeader(): HeaderLine {
  const created_at = new Date().toISOString()
  return { type: 'recording', schema_version: recordingVersion, viva_version: version, created_at }
}
