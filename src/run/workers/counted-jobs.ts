import { forgetJobs } from './atomic.ts'
import type { RunKeys } from './keys.ts'
import type { QueueConnection } from './redis.ts'
import type { ReportInbox } from './report-inbox.ts'

interface CountedReport {
  /** What it is called in Redis. */
  entry: string
  job: string
}

export interface CountedJobsOptions {
  connection: Pick<QueueConnection, 'redis' | 'address'>
  keys: RunKeys
  inbox: ReportInbox
  /** Writes all results that were counted so far to disk. */
  flush(): void
}

/** What is in Redis of jobs that were counted: their reports are removed when their results are on disk. */
export class CountedJobs {
  readonly #options: CountedJobsOptions
  #reports: CountedReport[] = []
  /** Their workers could not take them out of the queue. */
  #left: string[] = []

  constructor(options: CountedJobsOptions) {
    this.#options = options
  }

  add(report: CountedReport): void {
    this.#reports.push(report)
  }

  async remove(): Promise<void> {
    const { flush, inbox } = this.#options
    const removed = this.#reports.slice()
    if (removed.length === 0) return
    flush()
    await this.#forget(removed.map(({ job }) => job))
    await inbox.remove(removed.map(({ entry }) => entry))
    // What Redis has refused is removed the next time.
    this.#reports.splice(0, removed.length)
  }

  /** Looks again at jobs that were still in the queue. */
  async forgetLeft(): Promise<void> {
    const left = this.#left
    this.#left = []
    try {
      await this.#forget(left)
    } catch (error) {
      this.#left.push(...left)
      throw error
    }
  }

  async #forget(ids: readonly string[]): Promise<void> {
    const { connection, keys } = this.#options
    const { redis, address } = connection
    this.#left.push(...(await forgetJobs(redis, keys, `${address.prefix}:${keys.queue}:`, ids)))
  }
}
