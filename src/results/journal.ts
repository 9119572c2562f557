import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  openSync,
  readSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { beginsWith } from '../begins-with.ts'
import { messageOf, OutputError } from '../errors.ts'
import { makeFolder } from '../make-folder.ts'
import { readLines } from '../read-lines.ts'
import type { CaseStability } from './case-stability.ts'
import { toLine } from './line.ts'
import { lockFile } from './lock.ts'
import { indexResults, type ResultsOptions, readIndexed, resultLines } from './read-results.ts'
import type { CaseResult } from './result.ts'
import { stabilityToLine } from './stability-line.ts'
import type { RunStart, RunSummary } from './summary.ts'
import { startToLine, summaryToLine } from './summary-line.ts'
import { type PlannedResults, Tally } from './tally.ts'

/** A flush to the disk costs milliseconds, so lines share it; a line handed to the system survives kill -9 without. */
const flushEveryMs = 250

/**
 * The record of a run: one line a result, written whole before the result is announced to anyone.
 * Summary, reports and exit code are read back from it.
 */
export class Journal {
  readonly path: string
  #descriptor: number
  #flushTimer: NodeJS.Timeout | undefined

  readonly #unlock: () => void

  // Opened for reading too: a file that is removed in mid-run can still be read through its descriptor.
  private constructor(path: string, flags: 'w+' | 'wx+' | 'a+') {
    this.path = path
    makeFolder(dirname(path))
    this.#unlock = lockFile(path)
    try {
      this.#descriptor = openSync(path, flags)
    } catch (error) {
      this.#unlock()
      throw error
    }
  }

  /** `exclusive`: fails with EEXIST when the file is there. */
  static create(path: string, options: { exclusive?: boolean } = {}): Journal {
    return asOutput(path, () => new Journal(path, options.exclusive ? 'wx+' : 'w+'))
  }

  /** Goes on with an interrupted run; a line torn by a kill is cut off first. */
  static async resume(path: string): Promise<Journal> {
    const journal = asOutput(path, () => new Journal(path, 'a+'))
    for await (const line of readLines(path)) {
      if (!line.complete) truncateSync(path, line.bytes[0])
    }
    return journal
  }

  writeStart(start: RunStart): void {
    this.#write(startToLine(start))
  }

  writeResult(result: CaseResult): void {
    this.#write(toLine(result))
  }

  writeStability(stability: CaseStability): void {
    this.#write(stabilityToLine(stability))
  }

  writeSummary(summary: RunSummary, exitCode: number): void {
    this.#write(summaryToLine(summary, exitCode))
  }

  /** The results of a plan: each key once, unless its attempts are asked for. */
  async *results(plan: PlannedResults, options?: ResultsOptions): AsyncGenerator<CaseResult> {
    this.#putBack()
    yield* readIndexed(this.path, await indexResults(this.path, plan), options)
  }

  /** Counts the results of a plan; a glance at each line is enough for that. */
  async tally(plan: PlannedResults): Promise<Tally> {
    this.#putBack()
    const tally = new Tally(plan)
    for await (const { result } of resultLines(this.path)) tally.add(result)
    return tally
  }

  close(): void {
    clearTimeout(this.#flushTimer)
    try {
      fdatasyncSync(this.#descriptor)
    } catch {
      // A device that cannot flush has the lines all the same, or its write has failed already.
    }
    closeSync(this.#descriptor)
    this.#unlock()
  }

  #write(line: object): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    asOutput(this.path, () => {
      for (let written = 0; written < bytes.length; ) written += writeSync(this.#descriptor, bytes, written)
    })
    this.#flushTimer ??= setTimeout(() => {
      this.#flushTimer = undefined
      fdatasync(this.#descriptor, () => {})
    }, flushEveryMs).unref()
  }

  /** Somebody removed the file while the run went on: its content is still here. */
  #putBack(): void {
    if (existsSync(this.path)) return
    makeFolder(dirname(this.path))
    const copy = openSync(this.path, 'w+')
    const chunk = Buffer.alloc(1 << 16)
    for (let at = 0; ; ) {
      const read = readSync(this.#descriptor, chunk, 0, chunk.length, at)
      if (read === 0) break
      writeSync(copy, chunk, 0, read)
      at += read
    }
    // What is still to be written belongs there, too.
    closeSync(this.#descriptor)
    this.#descriptor = copy
  }
}

function asOutput<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (error instanceof OutputError || code === 'EEXIST') throw error
    throw new OutputError(`${path} cannot be written: ${messageOf(error)}`)
  }
}

/** Whether a file begins as our journals do. */
export function isJournal(path: string): boolean {
  return beginsWith(path, '{"type":"start"')
}
