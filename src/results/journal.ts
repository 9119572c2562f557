import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { defined } from '../defined.ts'
import { parseJson } from '../json.ts'
import { readLines } from '../read-lines.ts'
import { keyText } from './key.ts'
import { fromLine, toLine } from './line.ts'
import { type ResultLine, resultLineSchema, type StartLine, type SummaryLine } from './line-schema.ts'
import type { CaseResult } from './result.ts'
import type { RunStart, RunSummary } from './summary.ts'
import { passRate, type Tally } from './tally.ts'

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

  private constructor(path: string, flags: 'w' | 'wx' | 'a') {
    this.path = path
    mkdirSync(dirname(path), { recursive: true })
    this.#descriptor = openSync(path, flags)
  }

  /** `exclusive`: fails with EEXIST when the file is there. */
  static create(path: string, options: { exclusive?: boolean } = {}): Journal {
    return new Journal(path, options.exclusive ? 'wx' : 'w')
  }

  /** Goes on with an interrupted run; a line torn by a kill is cut off first. */
  static async resume(path: string): Promise<Journal> {
    for await (const line of readLines(path)) {
      if (!line.complete) truncateSync(path, line.bytes[0])
    }
    return new Journal(path, 'a')
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

  results(): AsyncGenerator<CaseResult> {
    return readResults(this.path)
  }

  close(): void {
    clearTimeout(this.#flushTimer)
    fdatasyncSync(this.#descriptor)
    closeSync(this.#descriptor)
  }

  #write(line: object): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#descriptor, bytes, written)
    this.#flushTimer ??= setTimeout(() => {
      this.#flushTimer = undefined
      fdatasync(this.#descriptor, () => {})
    }, flushEveryMs).unref()
  }
}

/** Whether a file begins as our journals do. */
export function isJournal(path: string): boolean {
  const head = Buffer.alloc(journalHead.length)
  const descriptor = openSync(path, 'r')
  try {
    readSync(descriptor, head, 0, head.length, 0)
  } finally {
    closeSync(descriptor)
  }
  return head.toString() === journalHead
}

const journalHead = '{"type":"start"'

/** The results of a journal: of each key the last one, a torn last line left out. */
export async function* readResults(path: string): AsyncGenerator<CaseResult> {
  const lastLineOf = new Map<string, number>()
  for await (const { number, result } of resultLines(path)) lastLineOf.set(keyText(result), number)
  for await (const { number, result } of resultLines(path)) {
    if (lastLineOf.get(keyText(result)) !== number) continue
    const parsed = resultLineSchema.safeParse(result)
    // A line that is no result of ours is passed over: its case then counts as not run.
    if (parsed.success) yield fromLine(parsed.data)
  }
}

/** Counts the results of a journal; a glance at each line is enough for that. */
export async function tallyJournal(path: string, tally: Tally): Promise<Tally> {
  for await (const { result } of resultLines(path)) tally.add(result)
  return tally
}

async function* resultLines(path: string): AsyncGenerator<{ number: number; result: ResultLine }> {
  for await (const { text, number } of readLines(path)) {
    if (!text.startsWith('{"type":"result"')) continue
    const result = parseJson(text)
    if (result !== undefined) yield { number, result: result as ResultLine }
  }
}

export function startToLine(start: RunStart): StartLine {
  return {
    type: 'start',
    schema_version: start.schemaVersion,
    viva_version: start.vivaVersion,
    timestamp: start.timestamp,
    plan_hash: start.planHash,
    total_cases: start.totalCases,
    agent_id: start.agentId,
    ...defined({ connector: start.connector }),
    variants: start.variants,
    runs: start.runs,
    ...defined({ resumed: start.resumed }),
    environment: {
      user_id: start.environment.userId,
      team_id: start.environment.teamId,
      locale: start.environment.locale,
    },
  }
}

export function summaryToLine(summary: RunSummary, exitCode: number): SummaryLine {
  return {
    type: 'summary',
    total: summary.total,
    passed: summary.passed,
    failed: summary.failed,
    skipped: summary.skipped,
    interrupted: summary.interrupted,
    not_run: summary.notRun,
    unchecked: summary.unchecked,
    world_failures: summary.worldFailures,
    pass_rate: passRate(summary) ?? null,
    duration_ms: Math.round(summary.durationMs),
    exit_code: exitCode,
  }
}
