import type { Job as BullJob, Worker as BullWorker } from 'bullmq'
import { errorMessage, InterruptedError } from '../../errors.ts'
import {
  countLost,
  findSuperseded,
  reportResults,
  returnJob,
  type StartedJob,
  startJob,
  startToken,
} from './atomic.ts'
import { jobOptions } from './job-sender.ts'
import type { RunKeys } from './keys.ts'
import {
  describeFirstIssue,
  hashOffer,
  type JobReport,
  type QueuedJob,
  queuedJobSchema,
  type RunOffer,
} from './messages.ts'
import type { OpenRun } from './open-run.ts'
import { type PlayedJob, QueuedJobPlayer, UnableError } from './queued-job-player.ts'
import type { QueueConnection } from './redis.ts'
import { mostLost } from './reported-results.ts'
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
  /** Whether its results were reported. */
  ended: Promise<boolean>
}

/** Why a worker cannot go on with a run. `changed`: it was started again in another way. `unable`: it cannot play its cases. */
export type RunTrouble = { kind: 'changed' } | { kind: 'unable'; reason: string }

/** While a worker does not renew it, for example because it is dead, another one takes the job after this time. */
const lockMs = 10_000
const lookForStalledMs = 5000

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
  /** Of the offer that was opened. */
  readonly #generation: string
  readonly #abandoned = new AbortController()
  #isHandingBack = false
  #trouble: RunTrouble | undefined

  constructor(run: OpenRun, options: ServedRunOptions) {
    const { connection, keys, offer } = options
    this.#run = run
    this.#player = new QueuedJobPlayer(run, offer)
    this.concurrency = Math.min(options.concurrency, run.mostAtOnce)
    this.#options = options
    this.#generation = hashOffer(offer)
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

  /** Why it cannot go on, if it cannot. */
  get trouble(): RunTrouble | undefined {
    return this.#trouble
  }

  /** Notices that the run was started again with other flags, or other files. */
  async findChange(): Promise<void> {
    const { connection, keys } = this.#options
    const current = await connection.redis.get(keys.generation)
    if (current !== null && current !== this.#generation) this.#trouble ??= { kind: 'changed' }
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
    this.#abandoned.abort(new NotWantedError('the run has ended'))
    for (const { stop } of this.#playing.values()) stop.abort(new NotWantedError('the run has ended'))
    await this.#worker.close()
  }

  async #serve(queued: BullJob, lock = ''): Promise<void> {
    const { connection, keys, onDone } = this.#options
    const { redis } = connection
    const id = queued.id ?? ''
    if (await this.#endsHere(id)) return
    const job = this.#read(queued)
    const asked = { id, lostBefore: typeof job === 'string' ? 0 : (job.lost ?? 0) }
    const lostSoFar = await this.#persist(() => countLost(redis, keys, asked))
    // Whoever may have ended a worker is played alone, so that it takes no other job with it, and is not blamed for one.
    const leave = await this.#turnstile.enter(lostSoFar > 0)
    try {
      if (typeof job !== 'string' && job.generation !== this.#generation) {
        await this.#persist(() => this.findChange())
        // If the run has not changed, the job is of an earlier coordinator, and nobody waits for it.
        return this.#trouble === undefined ? undefined : await this.#giveBack(queued, lock)
      }
      const token = startToken(this.#worker.id, this.#options.worker)
      const found = await this.#persist(() => startJob(redis, keys, { ...asked, token }))
      // The run has ended meanwhile, or the job was played before.
      if (found === undefined) return
      const { started, lost } = found
      if (lost >= mostLost) await this.#report(started, { results: [], lost })
      else if (typeof job === 'string') await this.#report(started, { results: [], refused: job })
      else await this.#play(queued, job, { started, lock })
      onDone()
    } finally {
      leave()
    }
  }

  /** While Redis was gone, the lock of a job may have expired that is still being played here. True if it was reported. */
  async #endsHere(id: string): Promise<boolean> {
    for (let own = this.#playing.get(id); own !== undefined; own = this.#playing.get(id))
      if (await own.ended) return true
    return false
  }

  /** The job, or why it cannot be read. */
  #read(queued: BullJob): QueuedJob | string {
    const { seal, offer } = this.#options
    try {
      const job = queuedJobSchema.safeParse(seal.open(`job ${offer.run}`, String(queued.data)))
      return job.success ? job.data : describeFirstIssue(job.error)
    } catch (error) {
      return errorMessage(error)
    }
  }

  async #play(
    queued: BullJob,
    job: QueuedJob,
    { started, lock }: { started: StartedJob; lock: string },
  ): Promise<void> {
    let played: (signal: AbortSignal) => Promise<PlayedJob>
    try {
      played = this.#player.prepare(job)
    } catch (error) {
      return await this.#report(started, { results: [], refused: errorMessage(error) })
    }
    const stop = new AbortController()
    if (this.#isHandingBack) stop.abort(new InterruptedError('the worker leaves'))
    let end: (isReported: boolean) => void = () => {}
    const ended = new Promise<boolean>((done) => {
      end = done
    })
    this.#playing.set(started.id, { started, stop, ended })
    let isReported = false
    try {
      const report = await played(stop.signal)
      if (!stop.signal.aborted) {
        await this.#report(started, report)
        isReported = true
      }
    } catch (error) {
      if (!(error instanceof UnableError)) throw error
      this.#trouble ??= { kind: 'unable', reason: error.message }
      stop.abort(new InterruptedError(error.message))
    } finally {
      this.#playing.delete(started.id)
      end(isReported)
    }
    if (!isReported) await this.#leave(queued, { started, lock, reason: stop.signal.reason })
  }

  /** What was not played to its end: another worker plays it, if anybody waits for it. */
  async #leave(
    queued: BullJob,
    { started, lock, reason }: { started: StartedJob; lock: string; reason: unknown },
  ): Promise<void> {
    const { connection, keys } = this.#options
    const giveUp = () => returnJob(connection.redis, keys, started.id)
    if (!(reason instanceof InterruptedError)) return await giveUp().catch(() => {})
    await this.#persist(giveUp)
    await this.#giveBack(queued, lock)
  }

  async #giveBack(queued: BullJob, lock: string): Promise<never> {
    // It would be the first one to get it again.
    if (this.#trouble !== undefined) await this.#worker.pause(true)
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
    await this.#persist(() => reportResults(connection.redis, keys, started, text))
  }

  /** While Redis is full, for example, it accepts nothing. That passes, and a result is worth waiting for. */
  #persist<T>(work: () => Promise<T>): Promise<T> {
    return this.#options.connection.persist(work, this.#abandoned.signal)
  }
}
