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
import { messageOf, OutputError } from '../errors.ts'
import { isRecord, parseJson } from '../json.ts'
import { makeFolder } from '../make-folder.ts'
import { readLines } from '../read-lines.ts'
import { keyText } from './key.ts'
import { fromLine, toLine } from './line.ts'
import { type ResultLine, type StartLine, startLineSchema } from './line-schema.ts'
import { lockFile } from './lock.ts'
import type { CaseResult } from './result.ts'
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
  readonly #descriptor: number
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

  writeSummary(summary: RunSummary, exitCode: number): void {
    this.#write(summaryToLine(summary, exitCode))
  }

  /** The results of a plan: each key once, unless its attempts are asked for. */
  async *results(plan: PlannedResults, options?: ResultsOptions): AsyncGenerator<CaseResult> {
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
    const copy = openSync(this.path, 'w')
    const chunk = Buffer.alloc(1 << 16)
    for (let at = 0; ; ) {
      const read = readSync(this.#descriptor, chunk, 0, chunk.length, at)
      if (read === 0) break
      writeSync(copy, chunk, 0, read)
      at += read
    }
    closeSync(copy)
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

export function beginsWith(path: string, text: string): boolean {
  const head = Buffer.alloc(Buffer.byteLength(text))
  const descriptor = openSync(path, 'r')
  try {
    readSync(descriptor, head, 0, head.length, 0)
  } finally {
    closeSync(descriptor)
  }
  return head.toString() === text
}

/** Which lines of a journal hold the results that count, and the attempts before them. */
export interface ResultIndex {
  counting: ReadonlySet<number>
  earlier: ReadonlySet<number>
}

/** Of each key the last line counts. With a plan, only those of its cases as they are now. */
export async function indexResults(path: string, plan?: PlannedResults): Promise<ResultIndex> {
  const index = new ResultIndexing()
  for await (const { number, result } of resultLines(path))
    if (plan === undefined || plan.get(keyText(result)) === result.case_hash) index.add(number, result)
  return index.end()
}

/** Is told one result line after the other. */
export class ResultIndexing {
  readonly #lines = new Map<string, { last: IndexedLine; byAttempt: Map<number, IndexedLine> }>()

  add(number: number, { attempt, case_hash: hash, ...key }: ResultLine): void {
    const text = keyText({ ...key, attempt })
    const line = { number, hash, attempt }
    const known = this.#lines.get(text)
    if (known === undefined) this.#lines.set(text, { last: line, byAttempt: new Map([[attempt, line]]) })
    else {
      known.last = line
      known.byAttempt.set(attempt, line)
    }
  }

  end(): ResultIndex {
    const all = [...this.#lines.values()]
    const earlier = all.flatMap(({ last, byAttempt }) =>
      [...byAttempt.values()].filter(({ attempt, hash }) => attempt < last.attempt && hash === last.hash),
    )
    const numbers = (lines: readonly IndexedLine[]) => new Set(lines.map(({ number }) => number))
    return { counting: numbers(all.map(({ last }) => last)), earlier: numbers(earlier) }
  }
}

interface IndexedLine {
  number: number
  hash: string
  attempt: number
}

export interface ResultsOptions {
  /** With the attempts that failed and were played once more; they are marked as `retrying`. */
  attempts?: boolean
}

/**
 * The results of a journal that count. A line that is torn or not ours is passed over: its case counts as not run.
 */
export async function* readResults(path: string, plan?: PlannedResults): AsyncGenerator<CaseResult> {
  yield* readIndexed(path, await indexResults(path, plan))
}

export async function* readIndexed(
  path: string,
  { counting, earlier }: ResultIndex,
  { attempts = false }: ResultsOptions = {},
): AsyncGenerator<CaseResult> {
  const wanted = attempts ? new Set([...counting, ...earlier]) : counting
  for await (const { number, result } of resultLines(path, wanted)) {
    const { retrying: _, ...read } = fromLine(result)
    // A run that was cut off may end before the next attempt: then the last one counts after all.
    yield counting.has(number) ? read : { ...read, retrying: true }
  }
}

/** The first line of a journal. */
export async function readStart(path: string): Promise<StartLine | undefined> {
  for await (const { text } of readLines(path)) {
    const parsed = startLineSchema.safeParse(parseJson(text))
    return parsed.data
  }
  return undefined
}

/** Every line with a result, or those with the given numbers. */
export async function* resultLines(
  path: string,
  wanted?: ReadonlySet<number>,
): AsyncGenerator<{ number: number; result: ResultLine }> {
  for await (const { text, number } of readLines(path)) {
    if (!text.startsWith('{"type":"result"') || wanted?.has(number) === false) continue
    const result = parseJson(text)
    if (isResultLine(result)) yield { number, result }
  }
}

/** As much as the readers rely on; a newer version may have written more. */
export function isResultLine(value: unknown): value is ResultLine {
  return (
    isRecord(value) &&
    ['file', 'id', 'variant', 'status', 'case_hash', 'mode', 'session_id'].every(
      (key) => typeof value[key] === 'string',
    ) &&
    ['run', 'attempt', 'duration_ms'].every((key) => typeof value[key] === 'number') &&
    isRecord(value.termination) &&
    ['turns', 'assertions', 'final_assertions', 'checkpoints', 'history', 'logs', 'tags'].every(
      (key) => value[key] === undefined || Array.isArray(value[key]),
    )
  )
}
