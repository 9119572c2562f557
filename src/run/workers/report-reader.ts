import { setTimeout as wait } from 'node:timers/promises'
import { CountedJobs } from './counted-jobs.ts'
import type { OpenJobs } from './open-jobs.ts'
import type { QueueConnection } from './redis.ts'
import { type InboxOptions, type ReceivedReport, ReportInbox } from './report-inbox.ts'

export interface ReportReaderOptions extends Omit<InboxOptions, 'redis'> {
  connection: QueueConnection
  jobs: OpenJobs
  /** Writes all results that were counted so far to disk. */
  flush(): void
}

/** Reports are read together: to ask for each when it comes would cost more than to count it. */
const readMs = 100
/** So many at once show that there are more. */
const manyReports = 100

/** Reads what workers report, counts it, and removes it from Redis when it is in the journal. */
export class ReportReader {
  readonly #jobs: OpenJobs
  readonly #inbox: ReportInbox
  readonly #counted: CountedJobs
  /** Jobs that workers have played, or play, for an earlier coordinator of this run. */
  readonly #inherited = new Set<string>()
  /** What was reported of them before they were asked for. */
  readonly #early = new Map<string, ReceivedReport>()
  #isClosed = false

  constructor(options: ReportReaderOptions) {
    const { connection, jobs, flush, keys } = options
    this.#jobs = jobs
    this.#inbox = new ReportInbox({ ...options, redis: connection.redis })
    this.#counted = new CountedJobs({ connection, keys, inbox: this.#inbox, flush })
  }

  /** Reads what an earlier coordinator has left. `inherited`: the jobs that are still being played for it. */
  async takeOver(inherited: readonly string[]): Promise<void> {
    for (const id of inherited) this.#inherited.add(id)
    for (;;) {
      const received = await this.#inbox.read()
      if (received.length === 0) return
      for (const each of received) this.#early.set(each.report.job, each)
    }
  }

  /** Counts what was reported before the job was asked for. False if nothing was. */
  countEarly(id: string): boolean {
    const early = this.#early.get(id)
    this.#early.delete(id)
    this.#inherited.delete(id)
    if (early === undefined) return false
    this.#counted.add({ entry: early.entry, job: id })
    return this.#jobs.count(early.report)
  }

  /** Reads for as long as the run goes on. */
  async read(): Promise<void> {
    while (!this.#isClosed) {
      const count = await this.#readOnce().catch(() => 0)
      if (count < manyReports) await wait(readMs)
    }
  }

  close(): void {
    this.#isClosed = true
  }

  /** Redis may have lost its data, and may count its entries anew. */
  rewind(): void {
    this.#inbox.rewind()
  }

  /** Looks again at jobs that were counted, and were still in the queue. */
  forgetCounted(): Promise<void> {
    return this.#counted.forgetLeft()
  }

  async #readOnce(): Promise<number> {
    // What was counted before, and could not be removed.
    await this.#counted.remove()
    const received = await this.#inbox.read()
    for (const { entry, report } of received) {
      if (this.#isClosed) return 0
      if (this.#inherited.has(report.job)) this.#early.set(report.job, { entry, report })
      else {
        this.#jobs.count(report)
        this.#counted.add({ entry, job: report.job })
      }
    }
    await this.#counted.remove()
    return received.length
  }
}
