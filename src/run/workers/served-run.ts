import { setTimeout as wait } from 'node:timers/promises'
import type { Job as BullJob, Worker as BullWorker } from 'bullmq'
import type { Job } from '../../cases/entry.ts'
import { errorMessage, InterruptedError } from '../../errors.ts'
import type { Redactor } from '../../privacy/redact.ts'
import { resultToLine } from '../../results/line.ts'
import type { CaseResult } from '../../results/result.ts'
import { Targets } from '../../scope/targets.ts'
import { emptyResult, notRunResults, resultFromError } from '../empty-result.ts'
import { resultKey } from '../jobs.ts'
import { playJob } from '../play-job.ts'
import type { Stage } from '../stage.ts'
import { reportResults, returnJob, startJob } from './atomic.ts'
import { jobOptions } from './job-sender.ts'
import { JobTapes } from './job-tapes.ts'
import type { RunKeys } from './keys.ts'
import { type JobReport, type QueuedJob, queuedJobSchema, type RunOffer } from './messages.ts'
import type { QueueConnection } from './redis.ts'
import type { Seal } from './seal.ts'
import { Turnstile } from './turnstile.ts'

/** A run as a worker has opened it. */
export interface OpenRun {
  stage: Omit<Stage, 'emit' | 'targets' | 'tapes'>
  /** The job with the worker's own cases. Throws an error that says why it is refused. */
  resolve(job: QueuedJob): Job
  /** Takes out what must not leave the worker. */
  redactResult(result: CaseResult): CaseResult
  redact(): Redactor
  /** The tools of servers that were asked for them since it was called last. */
  takeTools(): NonNullable<JobReport['tools']>
}

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
  start: number
  stop: AbortController
}

/** While a worker does not renew it, for example because it is dead, another one takes the job after this time. */
const lockMs = 10_000
const lookForStalledMs = 5000
/** A job that so many workers did not survive is not given to another one. */
const mostLost = 2

/** What Redis says while it cannot accept anything for some time. */
const passes = /^(?:OOM|LOADING|BUSY|READONLY|MASTERDOWN|NOREPLICAS|TRYAGAIN|MISCONF)\b|\bOOM command/
const refusedWaitMs = 500

/** Ends a play that another worker has taken over, or that nobody waits for. */
class NotWantedError extends Error {}

/** The part of a worker in one run: takes jobs from its queue, plays them, and reports their results. */
export class ServedRun {
  readonly #options: ServedRunOptions
  readonly #run: OpenRun
  readonly #targets = new Targets(() => {})
  readonly #turnstile = new Turnstile()
  readonly #playing = new Map<string, Playing>()
  readonly #worker: BullWorker
  #isHandingBack = false
  #isAbandoned = false

  constructor(run: OpenRun, options: ServedRunOptions) {
    const { connection, keys, concurrency } = options
    this.#run = run
    this.#options = options
    const { Worker } = connection.packages
    this.#worker = new Worker(keys.queue, (job, token) => this.#serve(job, token), {
      connection: connection.redis,
      prefix: connection.address.prefix,
      concurrency,
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
    const ids = this.playing()
    if (ids.length === 0) return
    const starts = await this.#options.connection.redis.hmget(this.#options.keys.starts, ...ids)
    for (const [place, id] of ids.entries()) {
      const playing = this.#playing.get(id)
      if (playing !== undefined && Number(starts[place] ?? 0) !== playing.start)
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

  async #serve(queued: BullJob, token = ''): Promise<void> {
    const { redis } = this.#options.connection
    const id = queued.id ?? ''
    const { keys } = this.#options
    const [starts, returns] = await Promise.all([redis.hget(keys.starts, id), redis.hget(keys.returns, id)])
    const lostBefore = Number(starts ?? 0) - Number(returns ?? 0)
    // Whoever may have ended a worker is played alone, so that it takes no other job with it, and is not blamed for one.
    const leave = await this.#turnstile.enter(lostBefore > 0)
    try {
      const { start, lost } = await this.#untilAccepted(() => startJob(redis, keys, id))
      if (lost >= mostLost) await this.#report(id, start, { results: [], lost })
      else await this.#play(queued, start, token)
      this.#options.onDone()
    } finally {
      leave()
    }
  }

  async #play(queued: BullJob, start: number, token: string): Promise<void> {
    const id = queued.id ?? ''
    let message: QueuedJob
    let job: Job
    try {
      const { seal, offer } = this.#options
      message = queuedJobSchema.parse(seal.open(`job ${offer.run}`, String(queued.data)))
      job = this.#run.resolve(message)
    } catch (error) {
      await this.#report(id, start, { results: [], refused: errorMessage(error) })
      return
    }
    const playing = { start, stop: new AbortController() }
    this.#playing.set(id, playing)
    if (this.#isHandingBack) playing.stop.abort(new InterruptedError('the worker leaves'))
    try {
      const report = await this.#playJob(job, message, playing.stop.signal)
      const { aborted, reason } = playing.stop.signal
      if (!aborted) await this.#report(id, start, report)
      else {
        await returnJob(this.#options.connection.redis, this.#options.keys, id)
        if (reason instanceof InterruptedError) await this.#giveBack(queued, token)
      }
    } finally {
      this.#playing.delete(id)
    }
  }

  async #giveBack(queued: BullJob, token: string): Promise<never> {
    await queued.moveToWait(token)
    throw new this.#options.connection.packages.WaitingError()
  }

  async #playJob(
    job: Job,
    { tapes = [] }: QueuedJob,
    signal: AbortSignal,
  ): Promise<Pick<JobReport, 'results' | 'tapes'>> {
    const { redactResult, stage, redact } = this.#run
    const results: JobReport['results'] = []
    const onResult = (result: CaseResult) => void results.push(resultToLine(redactResult(result)))
    const unplayable = this.#targets.whyNotPlayed(job.variant)
    if (unplayable !== undefined) {
      for (const result of notRunResults(job, unplayable)) onResult(result)
      return { results }
    }
    const given = tapes.flatMap((data, place) => {
      const entry = job.entries[place]
      return entry === undefined ? [] : { key: resultKey(entry, job), data }
    })
    const { offer } = this.#options
    const own = offer.tapes && new JobTapes(given, offer.tapes, (call) => redact()(call))
    const jobStage: Stage = { ...stage, targets: this.#targets, emit: () => {}, ...(own && { tapes: own }) }
    try {
      await playJob(job, jobStage, signal, onResult)
    } catch (error) {
      results.length = 0
      for (const entry of job.entries)
        onResult({ ...emptyResult(entry, resultKey(entry, job)), ...resultFromError(error) })
    }
    return { results, ...(own && { tapes: own.kept }) }
  }

  /** What comes too late does not count, and is only counted as such. */
  async #report(
    job: string,
    start: number,
    report: Pick<JobReport, 'results' | 'tapes' | 'refused' | 'lost'>,
  ): Promise<void> {
    const { connection, keys, seal, offer, worker } = this.#options
    const tools = this.#run.takeTools()
    const message: JobReport = { job, start, worker, ...report, ...(tools.length > 0 && { tools }) }
    const text = seal.seal(`report ${offer.run}`, message)
    await this.#untilAccepted(() => reportResults(connection.redis, keys, { id: job, start }, text))
  }

  /** While Redis is full, for example, it accepts nothing. That passes, and a result is worth waiting for. */
  async #untilAccepted<T>(work: () => Promise<T>): Promise<T> {
    for (;;)
      try {
        return await work()
      } catch (error) {
        if (this.#isAbandoned || !passes.test(errorMessage(error))) throw error
        await wait(refusedWaitMs, undefined, { ref: false })
      }
  }
}
