import { setTimeout as wait } from 'node:timers/promises'
import type { Queue } from 'bullmq'
import type { CaseEntry, Job } from '../../cases/entry.ts'
import { errorMessage, InfrastructureError } from '../../errors.ts'
import type { Redactor } from '../../privacy/redact.ts'
import type { PlayTape } from '../../scope/tape.ts'
import type { JobPlayer, PlayerRun } from '../job-player.ts'
import { resultKey } from '../jobs.ts'
import type { ConcurrencyLimit } from '../queue/concurrency-limit.ts'
import type { OnResult } from '../stage.ts'
import { findUnfinished, withdrawJobs } from './atomic.ts'
import { CoordinatorMark } from './coordinator-mark.ts'
import { namingForeignKeys } from './foreign-keys.ts'
import { JobSender } from './job-sender.ts'
import { type QueueKeys, queueKeys, type RunKeys } from './keys.ts'
import { lookLast } from './last-look.ts'
import { hashOffer, type RunOffer } from './messages.ts'
import { Notes, type NotesOptions } from './notes.ts'
import { OpenJobs, type OpenJobsOptions } from './open-jobs.ts'
import { caseNames, describeJob, jobId, secretError } from './queued-job.ts'
import type { QueueConnection } from './redis.ts'
import { describeRefusal, explainRefusal, isRefusal } from './refusal.ts'
import { endRun, removeRun } from './remove-run.ts'
import { ReportReader } from './report-reader.ts'
import { reportFailed, reportNotRun } from './reported-results.ts'
import { RunWatch } from './run-watch.ts'
import type { Seal } from './seal.ts'
import type { WorkerLoad } from './worker-watch.ts'

export interface CoordinatorOptions extends Omit<OpenJobsOptions, 'onPoisonous'>, NotesOptions {
  connection: QueueConnection
  offer: RunOffer
  seal: Seal
  redact(): Redactor
  /** A case that is in no file, as it was written; undefined for others. */
  written(entry: CaseEntry): unknown
  /** How many workers had ended while they played a job, before the run was interrupted and continued. */
  lostBefore(job: Job): number
  /** How many results were in the journal before the run was continued. */
  finishedBefore: number
  /** After so long without a worker, the run ends. */
  workerTimeoutMs: number
}

const mostClosingMs = 1000
/** Enough for the time between two reads, also when workers are few. */
const leastOpen = 128
const mostRemovingMs = 5000
const mostLookingMs = 6000

/**
 * Lets workers play the jobs of a run, and is the only one who counts their results. A job is in the queue until a worker
 * has reported its results to a list, from which they are removed when they are in the journal.
 */
export class Coordinator implements JobPlayer {
  readonly #options: CoordinatorOptions
  readonly #own: RunKeys
  readonly #keys: QueueKeys
  readonly #generation: string
  readonly #queue: Queue
  readonly #notes: Notes
  readonly #jobs: OpenJobs
  readonly #sender: JobSender
  readonly #mark: CoordinatorMark
  readonly #reports: ReportReader
  readonly #watch: RunWatch
  /** Why jobs are not played, by the names of their cases, which have ended workers before. */
  readonly #poisonous = new Map<string, InfrastructureError>()
  readonly #lost = new AbortController()
  #run: PlayerRun | undefined
  #slots = 0
  #onRoom = () => {}
  #isWithdrawn = false
  readonly #closed = new AbortController()
  #closing: Promise<void> | undefined
  #collecting: Promise<void> = Promise.resolve()

  constructor(options: CoordinatorOptions) {
    const { connection, offer, seal, workerTimeoutMs } = options
    const { redis, address, packages } = connection
    const { run } = offer
    const keys = queueKeys(address.prefix)
    const own = keys.run(run)
    this.#options = options
    this.#keys = keys
    this.#own = own
    this.#generation = hashOffer(offer)
    this.#queue = new packages.Queue(own.queue, {
      connection: redis,
      prefix: address.prefix,
      skipMetasUpdate: true,
    })
    this.#queue.on('error', () => {})
    const notes = new Notes(options)
    this.#notes = notes
    this.#jobs = new OpenJobs({
      ...options,
      onPoisonous: (job, error) => void this.#poison(job, error).catch(() => {}),
    })
    this.#sender = new JobSender({
      queue: this.#queue,
      take: (ids) => this.#take(ids),
      onRefused: (message) => notes.note(describeRefusal(message)),
    })
    this.#mark = new CoordinatorMark(redis, own)
    this.#reports = new ReportReader({
      connection,
      keys: own,
      run,
      seal,
      mark: this.#mark,
      jobs: this.#jobs,
      flush: () => this.#run?.flush(),
      onInvalid: (why) =>
        notes.note(`A message in the queue is no report of a worker, and is ignored: ${why}`),
    })
    this.#watch = new RunWatch({
      connection,
      keys,
      own,
      run,
      seal,
      mark: this.#mark,
      jobs: this.#jobs,
      sender: this.#sender,
      notes,
      workerTimeoutMs,
      announce: () => this.#announce(),
      countFinished: () => options.finishedBefore + (this.#run?.countFinished() ?? 0),
      onLoad: (load) => this.#follow(load),
      // It may count its entries anew.
      onDataLost: () => this.#reports.rewind(),
      forgetCounted: () => this.#reports.forgetCounted(),
      giveUp: (message) => this.#giveUp(message),
    })
  }

  /** Announces the run, and reads what an earlier coordinator of it has left. */
  async open(): Promise<void> {
    const { connection } = this.#options
    const { shown } = connection.address
    await namingForeignKeys(connection, () => this.#takeOver(), this.run).catch((error: unknown) => {
      throw isRefusal(error)
        ? new InfrastructureError('queue', `${shown} cannot be used: ${explainRefusal(errorMessage(error))}`)
        : error
    })
  }

  async #takeOver(): Promise<void> {
    const { redis } = this.#options.connection
    await this.#mark.take(() =>
      this.#notes.note('Waiting until the earlier coordinator of this run is known to be gone'),
    )
    // Whoever was killed while it removed the run has left it paused.
    await this.#queue.resume()
    // What nobody has started may not be wanted any more. What is being played is.
    await this.#queue.drain()
    const active = await this.#queue.getActive()
    await redis.del(this.#own.ended)
    await this.#announce()
    await this.#reports.takeOver(active.map(({ id }) => id ?? ''))
  }

  async #announce(): Promise<void> {
    const { seal, offer } = this.#options
    await this.#mark.announce(this.#keys.runs, {
      run: this.run,
      generation: this.#generation,
      offer: seal.seal('run', offer),
    })
  }

  /** The name of the run. */
  get run(): string {
    return this.#options.offer.run
  }

  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** Somewhat more jobs than workers can play at once, so that none of them waits for the next one. */
  readonly limit: ConcurrencyLimit = {
    hasRoom: (underWay) => underWay < Math.max(leastOpen, 4 * this.#slots),
    onRoom: (goOn) => {
      this.#onRoom = goOn
    },
  }

  start(run: PlayerRun): void {
    this.#run = run
    this.#jobs.start(run)
    const stop = () => void this.#stop(run.signal.reason)
    if (run.signal.aborted) stop()
    else run.signal.addEventListener('abort', stop, { once: true })
    this.#watch.start()
    this.#collecting = this.#reports.read()
  }

  async #stop(reason: unknown): Promise<void> {
    await Promise.race([this.#lookLast(), wait(mostLookingMs, undefined, { ref: false })]).catch(() => {})
    this.#jobs.stop(reason)
  }

  /** A run that goes on with these jobs must know which of them have ended a worker just now. */
  async #lookLast(): Promise<void> {
    const { connection } = this.#options
    const { redis, address } = connection
    // Where nothing can be played any more, it was looked at before, or cannot be.
    if (this.#jobs.size === 0 || this.lost.aborted || connection.lostMs() > 0) return
    this.#watch.stop()
    if (!(await endRun(connection, this.run, this.#mark.text))) return
    await lookLast({
      redis,
      keys: this.#keys,
      find: () => findUnfinished(redis, this.#own, `${address.prefix}:${this.#own.queue}:`),
      onFound: (found) => this.#jobs.noteStarted(found),
    })
  }

  async play(job: Job, onResult: OnResult): Promise<void> {
    const reason: unknown = this.#run?.signal.aborted ? this.#run.signal.reason : undefined
    if (reason !== undefined) return reportNotRun(job, reason, onResult)
    const poison = this.#poisonous.get(caseNames(job))
    if (poison !== undefined) return reportFailed(job, poison, onResult)
    const id = jobId(job, this.#generation)
    const tapes = this.#openTapes(job)
    const lostBefore = this.#options.lostBefore(job)
    const message = this.#write(job, { tapes, lostBefore })
    if (message === undefined) return reportFailed(job, secretError(), onResult)
    await new Promise<void>((done, fail) => {
      const settle = { onResult, done, fail }
      const state = { isStarted: false, lostBefore, lost: lostBefore, missed: 0 }
      this.#jobs.add(id, { job, tapes, message, ...state, ...settle })
      if (!this.#reports.countEarly(id)) this.#sender.send({ id, message })
    })
  }

  /** Once is enough: no job is sent any more. */
  withdraw(why: string): void {
    if (this.#isWithdrawn) return
    this.#isWithdrawn = true
    const ids = this.#jobs.list().map(([id]) => id)
    void this.#sender.withdraw(ids).then(
      (withdrawn) => this.#jobs.withdraw(withdrawn, why),
      () => {},
    )
  }

  /** Removes the run from Redis: its workers stop. If Redis cannot be reached, the run can be continued there. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#closed.abort(new Error('the run has ended'))
    this.#watch.stop()
    this.#sender.close()
    this.#reports.close()
    const { connection } = this.#options
    if (connection.lostMs() === 0) {
      const removing = removeRun(connection, this.run, { queue: this.#queue, mark: this.#mark.text })
      await Promise.race([removing, wait(mostRemovingMs, undefined, { ref: false })]).catch(() => {})
    }
    await Promise.race([this.#collecting, wait(mostClosingMs, undefined, { ref: false })])
    await Promise.race([this.#queue.close(), wait(mostClosingMs, undefined, { ref: false })]).catch(() => {})
  }

  /** Takes jobs out of the queue that no worker plays. */
  #take(ids: readonly string[]): Promise<string[]> {
    const { connection } = this.#options
    const { redis, address } = connection
    const jobs = `${address.prefix}:${this.#own.queue}:`
    return connection.persist(() => withdrawJobs(redis, jobs, ids), this.#closed.signal)
  }

  /** Other runs of the same cases would end workers, too. */
  async #poison(job: Job, error: InfrastructureError): Promise<void> {
    const names = caseNames(job)
    this.#poisonous.set(names, error)
    const same = this.#jobs.list().flatMap(([id, other]) => (caseNames(other.job) === names ? id : []))
    this.#jobs.fail(await this.#sender.withdraw(same), error)
  }

  #openTapes({ entries, ...job }: Job): Map<string, PlayTape> {
    const opened = new Map<string, PlayTape>()
    const { tapes } = this.#options
    if (tapes === undefined) return opened
    for (const entry of entries) opened.set(entry.id, tapes.open(resultKey(entry, { ...job, entries })))
    return opened
  }

  /** Undefined if it holds a secret: secrets do not travel. */
  #write(
    job: Job,
    { tapes, lostBefore }: { tapes: ReadonlyMap<string, PlayTape>; lostBefore: number },
  ): string | undefined {
    const { seal, written, redact, offer } = this.#options
    const queued = describeJob(job, this.#generation, written, {
      tapes: [...tapes.values()].map(({ data }) => data),
      lostBefore,
    })
    return redact()(queued) === queued ? seal.seal(`job ${offer.run}`, queued) : undefined
  }

  #follow({ workers, slots, playing }: WorkerLoad): void {
    this.#slots = slots
    this.#run?.emit({ type: 'workers', workers, slots, playing })
    this.#onRoom()
  }

  #giveUp(message: string): void {
    if (this.#lost.signal.aborted || this.#run?.signal.aborted) return
    this.#notes.last(`The run ends: ${message}`)
    this.#lost.abort(new InfrastructureError('queue', message))
  }
}
