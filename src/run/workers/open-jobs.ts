import type { Job } from '../../cases/entry.ts'
import type { Redactor } from '../../privacy/redact.ts'
import type { PlayTape, Tapes } from '../../scope/tape.ts'
import type { PlayerRun } from '../job-player.ts'
import { resultKey } from '../jobs.ts'
import type { OnResult } from '../stage.ts'
import type { JobReport } from './messages.ts'
import { readReportedResults, reportError, reportFailed, reportNotRun } from './reported-results.ts'

export interface OpenJob {
  job: Job
  tapes: Map<string, PlayTape>
  /** As it is sent. */
  message: string
  isStarted: boolean
  /** How often it was in no place where it should be. */
  missed: number
  onResult: OnResult
  done(): void
  /** Its results could not be counted. */
  fail(error: unknown): void
}

type RecordedTools = NonNullable<JobReport['tools']>[number][1][number]

export interface OpenJobsOptions {
  redact(): Redactor
  tapes: Tapes | undefined
  keepTools: (server: string, tools: readonly RecordedTools[]) => void
  /** A report has results of other cases. */
  onForeign(): void
}

/** The jobs that were asked for, and have no results yet. Each is counted once, whatever workers report. */
export class OpenJobs {
  readonly #options: OpenJobsOptions
  readonly #jobs = new Map<string, OpenJob>()
  #emit: PlayerRun['emit'] = () => {}

  constructor(options: OpenJobsOptions) {
    this.#options = options
  }

  start({ emit }: PlayerRun): void {
    this.#emit = emit
  }

  get size(): number {
    return this.#jobs.size
  }

  has(id: string): boolean {
    return this.#jobs.has(id)
  }

  add(id: string, job: OpenJob): void {
    this.#jobs.set(id, job)
  }

  list(): [id: string, job: OpenJob][] {
    return [...this.#jobs]
  }

  /** Workers have begun to play them. */
  begin(ids: readonly string[]): void {
    for (const id of ids) {
      const open = this.#jobs.get(id)
      if (open !== undefined) this.#begin(open)
    }
  }

  /** Counts the results of a job, once. False for a report that does not count. */
  count(report: JobReport): boolean {
    const open = this.#jobs.get(report.job)
    // It was counted before, or is of nobody's job.
    if (open === undefined) return false
    const { redact, tapes: kept, keepTools, onForeign } = this.#options
    const results = readReportedResults(report, open.job, redact())
    if (results === undefined) {
      onForeign()
      return false
    }
    this.#end(report.job, ({ job, onResult, tapes }) => {
      this.#begin(open)
      for (const [server, tools] of report.tools ?? []) keepTools(server, tools)
      for (const { key, ...play } of report.tapes ?? []) (tapes.get(key.id) ?? kept?.open(key))?.close(play)
      for (const { entry, result } of results) onResult(result, entry)
      if (results.length === 0) reportFailed(job, reportError(report), onResult)
    })
    return true
  }

  /** They are not played any more. */
  withdraw(ids: readonly string[], why: string): void {
    for (const id of ids) this.#end(id, ({ job, onResult }) => reportNotRun(job, why, onResult))
  }

  /** The run was stopped: whatever workers make of the rest does not count. */
  stop(reason: unknown): void {
    for (const id of [...this.#jobs.keys()])
      this.#end(id, ({ job, onResult, isStarted }) => {
        if (isStarted) reportFailed(job, reason, onResult)
        else reportNotRun(job, reason, onResult)
      })
  }

  #end(id: string, report: (open: OpenJob) => void): void {
    const open = this.#jobs.get(id)
    if (open === undefined) return
    this.#jobs.delete(id)
    try {
      report(open)
      open.done()
    } catch (error) {
      open.fail(error)
    }
  }

  #begin(open: OpenJob): void {
    if (open.isStarted) return
    open.isStarted = true
    for (const { name, ...entry } of open.job.entries) {
      const key = resultKey(entry, open.job)
      this.#emit({ type: 'case_started', key, ...(name !== undefined && { name }) })
    }
  }
}
