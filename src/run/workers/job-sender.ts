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

const mostAtOnce = 500
const retryMs = 1000

/** Puts jobs into the queue, those of the same moment together. What Redis refuses is sent again until it takes it. */
export class JobSender {
  readonly #queue: Queue
  readonly #onRefused: (message: string) => void
  #waiting: SentJob[] = []
  #isSending = false
  #isClosed = false
  #refusedSince: number | undefined

  constructor(queue: Queue, onRefused: (message: string) => void) {
    this.#queue = queue
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

  /** Takes back jobs that no worker has started. Returns their ids. */
  async withdraw(ids: readonly string[]): Promise<string[]> {
    const unsent = new Set(this.#waiting.map(({ id }) => id))
    this.#waiting = []
    const withdrawn: string[] = []
    for (const id of ids) {
      // A job that a worker plays cannot be removed.
      const isRemoved = unsent.has(id) || (await this.#queue.remove(id).catch(() => 0)) === 1
      if (isRemoved) withdrawn.push(id)
    }
    return withdrawn
  }

  close(): void {
    this.#isClosed = true
    this.#waiting = []
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#isClosed) {
      const jobs = this.#waiting.splice(0, mostAtOnce)
      try {
        await this.#queue.addBulk(
          jobs.map(({ id, message }) => ({ name: 'job', data: message, opts: { jobId: id, ...jobOptions } })),
        )
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
}
