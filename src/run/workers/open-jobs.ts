import type { Job } from '../../cases/entry.ts'
import { errorMessage, InfrastructureError, InterruptedError } from '../../errors.ts'
import type { PlayTape, Tapes } from '../../scope/tape.ts'
import type { PlayerRun } from '../job-player.ts'
import { resultKey } from '../jobs.ts'
import type { OnResult } from '../stage.ts'
import type { UnfinishedJob } from './atomic.ts'
import type { JobReport } from './messages.ts'
import {
  mostLost,
  type ReadReport,
  readReportedResults,
  reportFailed,
  reportNotRun,
  workerLostError,
} from './reported-results.ts'

export interface OpenJob {
  job: Job
  tapes: Map<string, PlayTape>
  /** As it is sent. */
  message: string
  isStarted: boolean
  /** How many workers had ended while they played it, before its run was interrupted and continued. */
  lostBefore: number
  /** How many have by now. */
  lost: number
  /** How often it was in no place where it should be. */
  missed: number
  onResult: OnResult
  done(): void
  /** Its results could not be counted. */
  fail(error: unknown): void
}

type RecordedTools = NonNullable<JobReport['tools']>[number][1][number]

export interface OpenJobsOptions {
  tapes: Tapes | undefined
  keepTools: (server: string, tools: readonly RecordedTools[]) => void
  /** The job has ended workers, and would end others. */
  onPoisonous(job: Job, error: InfrastructureError): void
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

  /** Notices which jobs are being played, and which have ended workers. */
  noteStarted(found: readonly UnfinishedJob[]): void {
    const started = new Map(found.map((each) => [each.id, each]))
    for (const [id, open] of this.#jobs) {
      const { lost = open.lost, holder } = started.get(id) ?? {}
      open.lost = Math.max(open.lostBefore, lost)
      if (open.lost > 0 || holder !== undefined) this.#begin(open)
    }
  }

  /** Counts the results of a job, once. False for a report that does not count. */
  count(report: ReadReport): boolean {
    const open = this.#jobs.get(report.job)
    // It was counted before, or is of nobody's job.
    if (open === undefined) return false
    const { tapes: kept, keepTools, onPoisonous } = this.#options
    const read = readReportedResults(report, open.job)
    this.#end(report.job, ({ job, onResult, tapes }) => {
      this.#begin(open)
      for (const [server, tools] of report.tools ?? []) keepTools(server, tools)
      for (const { key, ...play } of report.tapes ?? []) (tapes.get(key.id) ?? kept?.open(key))?.close(play)
      if (read instanceof InfrastructureError) reportFailed(job, read, onResult)
      else for (const { entry, result } of read) onResult(result, entry)
    })
    if (read instanceof InfrastructureError && read.kind === 'worker_lost') onPoisonous(open.job, read)
    return true
  }

  /** They are not played any more. */
  withdraw(ids: readonly string[], why: string): void {
    for (const id of ids) this.#end(id, (open) => reportNotRun(open.job, why, noteWorkersLost(open)))
  }

  /** They fail without being played. */
  fail(ids: readonly string[], error: InfrastructureError): void {
    for (const id of ids) this.#end(id, ({ job, onResult }) => reportFailed(job, error, onResult))
  }

  /** The run was stopped: whatever workers make of the rest does not count, and is played by a run that goes on with it. */
  stop(reason: unknown): void {
    const interrupted =
      reason instanceof InterruptedError ? reason : new InterruptedError(errorMessage(reason))
    for (const id of [...this.#jobs.keys()])
      this.#end(id, (open) => {
        const { job, onResult, isStarted, lost } = open
        if (lost >= mostLost) reportFailed(job, workerLostError(lost), onResult)
        else if (isStarted) reportFailed(job, interrupted, noteWorkersLost(open))
        else reportNotRun(job, reason, noteWorkersLost(open))
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

/** A run that goes on with these jobs must know how many workers they have ended. */
function noteWorkersLost({ lost, onResult }: OpenJob): OnResult {
  return lost === 0 ? onResult : (result, entry) => onResult({ ...result, workersLost: lost }, entry)
}
