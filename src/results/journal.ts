import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { ConfigError, errorMessage, OutputError } from '../errors.ts'
import { beginsWith } from '../system/begins-with.ts'
import { makeFolder } from '../system/make-folder.ts'
import { readChunks } from '../system/read-chunks.ts'
import { type FileLine, readFileLines } from '../system/read-lines.ts'
import type { CaseStability } from './case-stability.ts'
import { resultFields } from './line.ts'
import { FileLock } from './lock.ts'
import { parseLine } from './parse-line.ts'
import type { PlannedResults } from './planned-results.ts'
import {
  indexResults,
  type ResultsOptions,
  readIndexed,
  resultLines,
  startOfJournal,
} from './read-results.ts'
import type { CaseResult } from './result.ts'
import { stabilityToLine } from './stability-line.ts'
import type { RunStart, RunSummary } from './summary.ts'
import { startToLine, summaryToLine } from './summary-line.ts'
import { Tally } from './tally.ts'
import { transcriptMode } from './transcript-mode.ts'

/** A sync to disk takes milliseconds, so lines share one. Even without it, a written line survives kill -9. */
const syncEveryMs = 250

/** Opened for reading too: if the file is removed during the run, it can still be read through its descriptor. */
const { O_APPEND, O_CREAT, O_EXCL, O_RDWR, O_TRUNC } = constants
const appending = O_RDWR | O_CREAT | O_APPEND

interface CreateOptions {
  /** Fails with EEXIST when the file exists. */
  exclusive?: boolean
  /** A lock that was taken before; the journal releases it. */
  lock?: FileLock
}

/**
 * The record of a run: one line per result, written completely (`flush`) before the result is reported to anyone.
 * Summary, reports and exit code are read back from it.
 */
export class Journal {
  readonly path: string
  readonly #lock: FileLock
  #descriptor: number
  /** The expected size: if another process truncates or extends the file, its lines become unreadable. */
  #size: number
  /** The digest of what this run has written, starting at `#from`. */
  readonly #digest = createHash('sha1')
  #from: number
  /** Of what this run has written; undefined where the file has more. */
  #tally: Tally | undefined
  #uncounted: CaseResult[] = []
  /** Lines that are not written yet. */
  #lines = ''
  #syncTimer: NodeJS.Timeout | undefined

  private constructor(path: string, flags: number, lock = lockJournal(path)) {
    this.path = path
    this.#lock = lock
    try {
      this.#descriptor = openSync(path, flags, transcriptMode)
      this.#size = fstatSync(this.#descriptor).size
      this.#from = this.#size
    } catch (error) {
      lock.release()
      throw error
    }
  }

  static create(
    path: string,
    plan: PlannedResults,
    { exclusive = false, lock }: CreateOptions = {},
  ): Journal {
    const flags = appending | (exclusive ? O_EXCL : O_TRUNC)
    const journal = asOutput(path, () => new Journal(path, flags, lock))
    journal.#tally = new Tally(plan)
    return journal
  }

  /** Continues an interrupted run; a line that a kill left incomplete is removed first. */
  static async resume(path: string, lock?: FileLock): Promise<Journal> {
    const journal = asOutput(path, () => new Journal(path, appending, lock))
    try {
      for await (const line of readFileLines(path)) if (!line.complete) journal.#mendLastLine(line)
      return journal
    } catch (error) {
      journal.close()
      throw error
    }
  }

  /** Aborted when another run has taken over the file. */
  get lost(): AbortSignal {
    return this.#lock.lost
  }

  writeStart(start: RunStart): void {
    this.#write(startToLine(start))
  }

  writeResult(result: CaseResult): void {
    if (this.#tally !== undefined) this.#uncounted.push(result)
    this.#write(resultFields(result))
  }

  writeStability(stability: CaseStability): void {
    this.#write(stabilityToLine(stability))
  }

  writeSummary(summary: RunSummary, exitCode: number): void {
    this.#write(summaryToLine(summary, exitCode))
  }

  #write(line: object): void {
    this.#lines += `${JSON.stringify(line)}\n`
  }

  /** The results of a plan: one per key, unless attempts are included. */
  async *results(plan: PlannedResults, options?: ResultsOptions): AsyncGenerator<CaseResult> {
    this.flush()
    this.#makeSure()
    const index = this.#tally?.countsAll ? 'all' : await indexResults(this.path, plan)
    yield* readIndexed(this.path, index, options)
  }

  /** Counts the results of a plan: what was counted when it was written, once the file is known to have just that. */
  async tally(plan: PlannedResults): Promise<Tally> {
    this.flush()
    this.#makeSure()
    await this.#compare()
    if (this.#tally !== undefined) return this.#tally
    const tally = new Tally(plan)
    for await (const { result } of resultLines(this.path)) tally.addLine(result)
    return tally
  }

  close(): void {
    clearTimeout(this.#syncTimer)
    try {
      fdatasyncSync(this.#descriptor)
    } catch {
      // A device that cannot flush either has the lines anyway, or its write has failed already.
    }
    closeSync(this.#descriptor)
    this.#lock.release()
  }

  flush(): void {
    if (this.#lines === '') return
    this.#makeSure()
    const lines = Buffer.from(this.#lines)
    this.#lines = ''
    asOutput(this.path, () => this.#append(lines))
    for (const result of this.#uncounted) this.#tally?.add(result)
    this.#uncounted = []
    this.#syncTimer ??= setTimeout(() => {
      this.#syncTimer = undefined
      fdatasync(this.#descriptor, () => {})
    }, syncEveryMs).unref()
  }

  #append(bytes: Buffer): void {
    writeAll(this.#descriptor, bytes, (written) => {
      this.#size += written
    })
    this.#digest.update(bytes)
  }

  /** A line that only lacks its line break counts; an incomplete line is removed. */
  #mendLastLine({ text, bytes: [start] }: FileLine): void {
    if (parseLine(text) === undefined) {
      ftruncateSync(this.#descriptor, start)
      this.#size = start
      this.#from = start
    } else this.#append(Buffer.from('\n'))
  }

  /** Checks that the lock is held, that the file is still in its place, and that its size is right. */
  #makeSure(): void {
    asOutput(this.path, () => {
      this.#lock.assertHeld()
      const { size, ino } = fstatSync(this.#descriptor)
      // Removed, moved away, or replaced.
      if (statSync(this.path, { throwIfNoEntry: false })?.ino !== ino) this.#putBack()
      else if (size !== this.#size)
        throw this.#changed(`it has ${size} bytes instead of ${this.#size}. The run was stopped`)
    })
  }

  /** Checks before counting that the file has exactly what was reported, byte for byte. */
  async #compare(): Promise<void> {
    const read = createHash('sha1')
    for await (const chunk of readChunks(this.path, this.#from)) read.update(chunk)
    if (read.digest('hex') !== this.#digest.copy().digest('hex'))
      throw this.#changed('its content is not what viva has written')
  }

  #changed(how: string): OutputError {
    return new OutputError(
      `${this.path} was changed by something else during the run: ${how}; --resume ${this.path} runs the missing cases again`,
    )
  }

  /** The file was removed during the run: its content can still be read through the descriptor. */
  #putBack(): void {
    makeFolder(dirname(this.path))
    const copy = this.#copyTo(this.path)
    if (copy === undefined) {
      const kept = `${this.path}.${process.pid}.jsonl`
      const descriptor = this.#copyTo(kept)
      if (descriptor !== undefined) {
        writeAll(descriptor, Buffer.from(this.#lines))
        closeSync(descriptor)
      }
      throw new OutputError(
        `${this.path} was replaced by another file during the run. The run was stopped, and its results are in ${kept}`,
      )
    }
    // Further lines go to the copy.
    closeSync(this.#descriptor)
    this.#descriptor = copy
  }

  /** Undefined when the file exists. */
  #copyTo(path: string): number | undefined {
    if (existsSync(path)) return undefined
    const copy = openSync(path, appending | O_EXCL, fstatSync(this.#descriptor).mode)
    const chunk = Buffer.alloc(1 << 16)
    for (let at = 0; ; ) {
      const read = readSync(this.#descriptor, chunk, 0, chunk.length, at)
      if (read === 0) return copy
      writeAll(copy, chunk.subarray(0, read))
      at += read
    }
  }
}

/** A write may take only a part of the bytes. */
function writeAll(descriptor: number, bytes: Buffer, onWritten: (count: number) => void = () => {}): void {
  for (let at = 0; at < bytes.length; ) {
    const written = writeSync(descriptor, bytes, at)
    onWritten(written)
    at += written
  }
}

/** Called before any work starts that would be lost. Throws `LockedError` when another run writes to the file. */
export function lockJournal(path: string): FileLock {
  return asOutput(path, () => {
    makeFolder(dirname(path))
    return new FileLock(path)
  })
}

function asOutput<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (error instanceof OutputError || error instanceof ConfigError || code === 'EEXIST') throw error
    throw new OutputError(`${path} cannot be written: ${errorMessage(error)}`)
  }
}

/** Whether a file begins like a journal, or is the incomplete beginning that a killed run has left. */
export function isJournal(path: string): boolean {
  const { size } = statSync(path)
  return beginsWith(path, startOfJournal.slice(0, size))
}

/** Whether a file holds the results of a run. A pipe, which can only be read once, does not. */
export function hasResults(path: string): boolean {
  return statSync(path).isFile() && beginsWith(path, startOfJournal)
}
