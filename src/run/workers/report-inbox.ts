import type { Redis } from 'ioredis'
import { z } from 'zod'
import { errorMessage } from '../../errors.ts'
import { readEntries } from './atomic.ts'
import type { CoordinatorMark } from './coordinator-mark.ts'
import type { RunKeys } from './keys.ts'
import { describeFirstIssue, jobReportSchema } from './messages.ts'
import type { ReadReport } from './reported-results.ts'
import type { Seal } from './seal.ts'

/** A report, and what it is called in Redis. */
export interface ReceivedReport {
  entry: string
  report: ReadReport
}

export interface InboxOptions {
  redis: Redis
  keys: RunKeys
  run: string
  seal: Seal
  mark: CoordinatorMark
  /** Something in the inbox is no report. */
  onInvalid(why: string): void
}

const mostAtOnce = 200

/** What workers have reported. A report stays in Redis until it is removed, which is when its results are in the journal. */
export class ReportInbox {
  readonly #options: InboxOptions
  /** The last entry that was read. */
  #last = ''

  constructor(options: InboxOptions) {
    this.#options = options
  }

  /** The next reports. Empty when there are none, or when another coordinator has taken over. */
  async read(): Promise<ReceivedReport[]> {
    const { redis, keys, mark } = this.#options
    const entries = await readEntries(redis, keys, {
      mark: mark.text,
      after: this.#last,
      most: mostAtOnce,
    })
    const invalid: string[] = []
    const received: ReceivedReport[] = []
    for (const [entry, text] of entries) {
      const report = this.#parse(text)
      if (report === undefined) invalid.push(entry)
      else received.push({ entry, report })
    }
    await this.remove(invalid)
    // Only now: what is refused before is read again.
    this.#last = entries.at(-1)?.[0] ?? this.#last
    return received
  }

  async remove(entries: readonly string[]): Promise<void> {
    const { redis, keys } = this.#options
    if (entries.length > 0) await redis.xdel(keys.reports, ...entries)
  }

  /** Redis may have lost its data, and may count its entries anew. */
  rewind(): void {
    this.#last = ''
  }

  #parse(text: string): ReadReport | undefined {
    const { seal, run, onInvalid } = this.#options
    try {
      const message = seal.open(`report ${run}`, text)
      const report = jobReportSchema.safeParse(message)
      if (report.success) return report.data
      const named = namedReportSchema.safeParse(message)
      if (!named.success) throw new Error(describeFirstIssue(report.error))
      return { ...named.data, start: 0, results: [], unreadable: describeFirstIssue(report.error) }
    } catch (error) {
      onInvalid(errorMessage(error).split('\n')[0] ?? '')
      return undefined
    }
  }
}

/** Where nothing else can be read, its job cannot be played again and again for it. */
const namedReportSchema = z.object({ job: z.string(), worker: z.string() })
