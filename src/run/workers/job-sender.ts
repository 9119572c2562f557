import { setTimeout as wait } from 'node:timers/promises'
import type { Queue } from 'bullmq'
import { errorMessage } from '../../errors.ts'

interface SentJob {
  id: string
  /** Signed, where there is a secret. */
  message: string
}

/** A job that workers have played leaves nothing behind: its results are in a list of their own. */
export const jobOptions = { removeOnComplete: true, removeOnFail: true } as const

export interface JobSenderOptions {
  queue: Pick<Queue, 'addBulk'>
  /** Takes jobs out of the queue again that no worker plays. Returns their ids. */
  take(ids: readonly string[]): Promise<string[]>
  onRefused(message: string): void
}

const mostAtOnce = 500
const retryMs = 1000

/** Puts jobs into the queue, those of the same moment together. What Redis refuses is sent again until it takes it. */
export class JobSender {
  readonly #queue: Pick<Queue, 'addBulk'>
  readonly #take: (ids: readonly string[]) => Promise<string[]>
  readonly #onRefused: (message: string) => void
  #waiting: SentJob[] = []
  /** The jobs that are on their way to Redis. */
  #sending: Promise<unknown> = Promise.resolve()
  #isSending = false
  #isClosed = false
  #refusedSince: number | undefined

  constructor({ queue, take, onRefused }: JobSenderOptions) {
    this.#queue = queue
    this.#take = take
    this.#onRefused = onRefused
  }

  send(job: SentJob): void {
    this.#waiting.push(job)
    if (this.#isSending) return
    this.#isSending = true
    setImmediate(() => void this.#sendAll())
  }

  /** For how long Redis has refused jobs. */
  refusedMs(): number {
    return this.#refusedSince === undefined ? 0 : performance.now() - this.#refusedSince
  }

  /** Takes back jobs that no worker plays. Returns their ids. */
  async withdraw(ids: readonly string[]): Promise<string[]> {
    const asked = new Set(ids)
    const unsent = this.#removeUnsent(asked)
    await this.#sending
    // Redis may have refused some that were on their way.
    unsent.push(...this.#removeUnsent(asked))
    return [...unsent, ...(await this.#take(ids))]
  }

  close(): void {
    this.#isClosed = true
    this.#waiting = []
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#isClosed) {
      const jobs = this.#waiting.splice(0, mostAtOnce)
      try {
        const sending = this.#queue.addBulk(
          jobs.map(({ id, message }) => ({ name: 'job', data: message, opts: { jobId: id, ...jobOptions } })),
        )
        this.#sending = sending.catch(() => {})
        await sending
        this.#refusedSince = undefined
      } catch (error) {
        if (this.#isClosed) return
        // Some of them may be in the queue: adding a job twice adds it once.
        this.#waiting.unshift(...jobs)
        this.#refusedSince ??= performance.now()
        this.#onRefused(errorMessage(error))
        await wait(retryMs)
      }
    }
    this.#isSending = false
  }

  #removeUnsent(asked: ReadonlySet<string>): string[] {
    const removed = this.#waiting.filter(({ id }) => asked.has(id)).map(({ id }) => id)
    this.#waiting = this.#waiting.filter(({ id }) => !asked.has(id))
    return removed
  }
}
