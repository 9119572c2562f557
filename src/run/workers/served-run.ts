import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Job as BullJob, Worker as BullWorker } from 'bullmq'
import { errorMessage, InterruptedError } from '../../errors.ts'
import { countLost, findSuperseded, reportResults, returnJob, type StartedJob, startJob } from './atomic.ts'
import { jobOptions } from './job-sender.ts'
import type { RunKeys } from './keys.ts'
import { type JobReport, queuedJobSchema, type RunOffer } from './messages.ts'
import type { OpenRun } from './open-run.ts'
import { type PlayedJob, QueuedJobPlayer } from './queued-job-player.ts'
import type { QueueConnection } from './redis.ts'
import { isPassing } from './refusal.ts'
import type { Seal } from './seal.ts'
import { Turnstile } from './turnstile.ts'

export interface ServedRunOptions {
  connection: QueueConnection
  offer: RunOffer
  keys: RunKeys
  seal: Seal
  worker: string
  concurrency: number
  onDone(): void
}

interface Playing {
  started: StartedJob
  stop: AbortController
}

/** While a worker does not renew it, for example because it is dead, another one takes the job after this time. */
const lockMs = 10_000
const lookForStalledMs = 5000
/** A job that so many workers did not survive is not given to another one. */
const mostLost = 2

const refusedWaitMs = 500

/** Ends a play that another worker has taken over, or that nobody waits for. */
class NotWantedError extends Error {}

/** The part of a worker in one run: takes jobs from its queue, plays them, and reports their results. */
export class ServedRun {
  readonly #options: ServedRunOptions
  readonly #run: OpenRun
  readonly #player: QueuedJobPlayer
  readonly #turnstile = new Turnstile()
  readonly #playing = new Map<string, Playing>()
  readonly #worker: BullWorker
  /** How many jobs it plays at once. */
  readonly concurrency: number
  #isHandingBack = false
  #isAbandoned = false

  constructor(run: OpenRun, options: ServedRunOptions) {
    const { connection, keys, offer } = options
    this.#run = run
    this.#player = new QueuedJobPlayer(run, offer)
    this.concurrency = Math.min(options.concurrency, run.mostAtOnce)
    this.#options = options
    const { Worker } = connection.packages
    this.#worker = new Worker(keys.queue, (job, token) => this.#serve(job, token), {
      connection: connection.redis,
      prefix: connection.address.prefix,
      concurrency: this.concurrency,
      lockDuration: lockMs,
      stalledInterval: lookForStalledMs,
      // It is counted here, where also the reason is known.
      maxStalledCount: 1_000_000,
      skipLockRenewal: false,
      ...jobOptions,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    })
    // A lost connection or lock: the job is another worker's then.
    this.#worker.on('error', () => {})
  }

  /** The jobs that are being played. */
  playing(): string[] {
    return [...this.#playing.keys()]
  }

  /** Ends what is being played although another worker has taken over. */
  async dropSuperseded(): Promise<void> {
    const { connection, keys } = this.#options
    const jobs = [...this.#playing.values()].map(({ started }) => started)
    for (const { id, token } of await findSuperseded(connection.redis, keys, jobs)) {
      const playing = this.#playing.get(id)
      if (playing?.started.token === token)
        playing.stop.abort(new NotWantedError('another worker has taken over'))
    }
  }

  /** Takes no more jobs, and waits for those that are being played. */
  async finish(): Promise<void> {
    await this.#worker.close()
  }

  /** Gives the jobs that are being played back to the queue. */
  handBack(): void {
    this.#isHandingBack = true
    for (const { stop } of this.#playing.values())
      stop.abort(new InterruptedError('the worker leaves: the job is given back'))
  }

  /** Nobody waits for the results any more. */
  async abandon(): Promise<void> {
    this.#isAbandoned = true
    for (const { stop } of this.#playing.values()) stop.abort(new NotWantedError('the run has ended'))
    await this.#worker.close()
  }

  async #serve(queued: BullJob, lock = ''): Promise<void> {
    const { connection, keys, onDone } = this.#options
    const id = queued.id ?? ''
    const lostBefore = await countLost(connection.redis, keys, id)
    // Whoever may have ended a worker is played alone, so that it takes no other job with it, and is not blamed for one.
    const leave = await this.#turnstile.enter(lostBefore > 0)
    try {
      const token = randomUUID()
      const found = await this.#untilAccepted(() => startJob(connection.redis, keys, { id, token }))
      // The run has ended meanwhile.
      if (found === undefined) return
      if (found.lost >= mostLost) await this.#report(found.started, { results: [], lost: found.lost })
      else await this.#play(queued, found.started, lock)
      onDone()
    } finally {
      leave()
    }
  }

  async #play(queued: BullJob, started: StartedJob, lock: string): Promise<void> {
    const { id } = started
    let played: (signal: AbortSignal) => Promise<PlayedJob>
    try {
      const { seal, offer } = this.#options
      played = this.#player.prepare(queuedJobSchema.parse(seal.open(`job ${offer.run}`, String(queued.data))))
    } catch (error) {
      await this.#report(started, { results: [], refused: errorMessage(error) })
      return
    }
    const playing = { started, stop: new AbortController() }
    this.#playing.set(id, playing)
    if (this.#isHandingBack) playing.stop.abort(new InterruptedError('the worker leaves'))
    try {
      const report = await played(playing.stop.signal)
      const { aborted, reason } = playing.stop.signal
      if (!aborted) await this.#report(started, report)
      else {
        await returnJob(this.#options.connection.redis, this.#options.keys, id)
        if (reason instanceof InterruptedError) await this.#giveBack(queued, lock)
      }
    } finally {
      this.#playing.delete(id)
    }
  }

  async #giveBack(queued: BullJob, lock: string): Promise<never> {
    await queued.moveToWait(lock)
    throw new this.#options.connection.packages.WaitingError()
  }

  /** What comes too late does not count, and is only counted as such. */
  async #report(
    started: StartedJob,
    report: Pick<JobReport, 'results' | 'tapes' | 'refused' | 'lost'>,
  ): Promise<void> {
    const { connection, keys, seal, offer, worker } = this.#options
    const tools = this.#run.takeTools()
    const { id: job, start } = started
    const message: JobReport = { job, start, worker, ...report, ...(tools.length > 0 && { tools }) }
    const text = seal.seal(`report ${offer.run}`, message)
    await this.#untilAccepted(() => reportResults(connection.redis, keys, started, text))
  }

  /** While Redis is full, for example, it accepts nothing. That passes, and a result is worth waiting for. */
  async #untilAccepted<T>(work: () => Promise<T>): Promise<T> {
    for (;;)
      try {
        return await work()
      } catch (error) {
        if (this.#isAbandoned || !isPassing(errorMessage(error))) throw error
        await wait(refusedWaitMs, undefined, { ref: false })
      }
  }
}
