import { setTimeout as wait } from 'node:timers/promises'
import type { Queue } from 'bullmq'
import type { CaseEntry, Job } from '../../cases/entry.ts'
import { errorMessage, InfrastructureError } from '../../errors.ts'
import type { PlayTape } from '../../scope/tape.ts'
import type { JobPlayer, PlayerRun } from '../job-player.ts'
import { resultKey } from '../jobs.ts'
import type { ConcurrencyLimit } from '../queue/concurrency-limit.ts'
import type { OnResult } from '../stage.ts'
import { forgetJobs } from './atomic.ts'
import { CoordinatorMark } from './coordinator-mark.ts'
import { JobSender } from './job-sender.ts'
import { queueKeys, type RunKeys } from './keys.ts'
import type { RunOffer } from './messages.ts'
import { Notes, type NotesOptions } from './notes.ts'
import { OpenJobs, type OpenJobsOptions } from './open-jobs.ts'
import { describeJob, jobId, secretError } from './queued-job.ts'
import type { QueueConnection } from './redis.ts'
import { describeRefusal, explainRefusal, isRefusal } from './refusal.ts'
import { removeRun } from './remove-run.ts'
import { type ReceivedReport, ReportInbox } from './report-inbox.ts'
import { reportFailed } from './reported-results.ts'
import { RunWatch } from './run-watch.ts'
import type { Seal } from './seal.ts'
import type { WorkerLoad } from './worker-watch.ts'

export interface CoordinatorOptions extends Omit<OpenJobsOptions, 'onForeign'>, NotesOptions {
  connection: QueueConnection
  offer: RunOffer
  seal: Seal
  /** A case that is in no file, as it was written; undefined for others. */
  written(entry: CaseEntry): unknown
  /** After so long without a worker, the run ends. */
  workerTimeoutMs: number
}

const tickMs = 1000
/** Reports are read together: to ask for each when it comes would cost more than to count it. */
const readMs = 100
/** So many at once show that there are more. */
const manyReports = 100
/** Enough for the time between two reads, also when workers are few. */
const leastOpen = 128
const mostRemovingMs = 5000

/**
 * Lets workers play the jobs of a run, and is the only one who counts their results. A job is in the queue until a worker
 * has reported its results to a list, from which they are removed when they are in the journal.
 */
export class Coordinator implements JobPlayer {
  readonly #options: CoordinatorOptions
  readonly #runs: string
  readonly #own: RunKeys
  /** What workers must know of the run, signed. */
  readonly #offered: string
  readonly #queue: Queue
  readonly #notes: Notes
  readonly #jobs: OpenJobs
  readonly #sender: JobSender
  readonly #mark: CoordinatorMark
  readonly #inbox: ReportInbox
  readonly #watch: RunWatch
  /** Jobs that workers have played, or play, for an earlier coordinator of this run. */
  readonly #inherited = new Set<string>()
  /** What was reported of them before they were asked for. */
  readonly #early = new Map<string, ReceivedReport>()
  /** Reports that were counted, and are still in Redis. */
  #done: { entry: string; job: string }[] = []
  readonly #lost = new AbortController()
  #run: PlayerRun | undefined
  #slots = 0
  #onRoom = () => {}
  #isClosed = false
  #loops: Promise<unknown> = Promise.resolve()

  constructor(options: CoordinatorOptions) {
    const { connection, offer, seal, workerTimeoutMs } = options
    const { redis, address, packages } = connection
    const { run } = offer
    const keys = queueKeys(address.prefix)
    const own = keys.run(run)
    this.#options = options
    this.#runs = keys.runs
    this.#own = own
    this.#offered = seal.seal('run', offer)
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
      onForeign: () => notes.note('A report in the queue has results of other cases, and is ignored'),
    })
    this.#sender = new JobSender(this.#queue, (message) => notes.note(describeRefusal(message)))
    this.#mark = new CoordinatorMark(redis, own)
    this.#inbox = new ReportInbox({
      redis,
      keys: own,
      run,
      seal,
      mark: this.#mark,
      onInvalid: (why) =>
        notes.note(`A message in the queue is no report of a worker, and is ignored: ${why}`),
    })
    this.#watch = new RunWatch({
      connection,
      keys,
      own,
      run,
      offer: this.#offered,
      seal,
      mark: this.#mark,
      jobs: this.#jobs,
      sender: this.#sender,
      notes,
      workerTimeoutMs,
      onLoad: (load) => this.#follow(load),
      // It may count its entries anew.
      onDataLost: () => this.#inbox.rewind(),
      giveUp: (message) => this.#giveUp(message),
    })
  }

  /** Announces the run, and reads what an earlier coordinator of it has left. */
  async open(): Promise<void> {
    const { shown } = this.#options.connection.address
    await this.#announce().catch((error: unknown) => {
      throw isRefusal(error)
        ? new InfrastructureError('queue', `${shown} cannot be used: ${explainRefusal(errorMessage(error))}`)
        : error
    })
  }

  async #announce(): Promise<void> {
    const { redis } = this.#options.connection
    await this.#mark.take(() =>
      this.#notes.note('Waiting until the earlier coordinator of this run is known to be gone'),
    )
    // What nobody has started may not be wanted any more. What is being played is.
    await this.#queue.drain()
    for (const { id } of await this.#queue.getActive()) this.#inherited.add(id ?? '')
    await redis.del(this.#own.ended)
    await redis.hset(this.#runs, this.run, this.#offered)
    for (;;) {
      const received = await this.#inbox.read()
      if (received.length === 0) return
      for (const each of received) this.#early.set(each.report.job, each)
    }
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
    const stop = () => this.#jobs.stop(run.signal.reason)
    if (run.signal.aborted) stop()
    else run.signal.addEventListener('abort', stop, { once: true })
    this.#loops = Promise.all([this.#look(), this.#collect()])
  }

  async play(job: Job, onResult: OnResult): Promise<void> {
    const reason: unknown = this.#run?.signal.aborted ? this.#run.signal.reason : undefined
    const id = jobId(job, this.run)
    const tapes = this.#openTapes(job)
    const message = this.#write(job, tapes)
    if (reason !== undefined || message === undefined) {
      reportFailed(job, reason ?? secretError(), onResult)
      return
    }
    await new Promise<void>((done, fail) => {
      this.#jobs.add(id, { job, tapes, message, isStarted: false, missed: 0, onResult, done, fail })
      if (!this.#countEarly(id)) this.#sender.send({ id, message })
    })
  }

  withdraw(why: string): void {
    const ids = this.#jobs.list().flatMap(([id, { isStarted }]) => (isStarted ? [] : id))
    void this.#sender.withdraw(ids).then((withdrawn) => this.#jobs.withdraw(withdrawn, why))
  }

  /** Removes the run from Redis: its workers stop. If Redis cannot be reached, the run can be continued there. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#sender.close()
    const { connection } = this.#options
    if (connection.redis.status === 'ready' && this.#mark.isOwn) {
      const removing = removeRun(connection, this.run, this.#queue)
      await Promise.race([removing, wait(mostRemovingMs, undefined, { ref: false })]).catch(() => {})
    }
    await Promise.race([this.#loops, wait(tickMs, undefined, { ref: false })])
    await Promise.race([this.#queue.close(), wait(tickMs, undefined, { ref: false })]).catch(() => {})
  }

  #openTapes({ entries, ...job }: Job): Map<string, PlayTape> {
    const opened = new Map<string, PlayTape>()
    const { tapes } = this.#options
    if (tapes === undefined) return opened
    for (const entry of entries) opened.set(entry.id, tapes.open(resultKey(entry, { ...job, entries })))
    return opened
  }

  /** Undefined if it holds a secret: secrets do not travel. */
  #write(job: Job, tapes: ReadonlyMap<string, PlayTape>): string | undefined {
    const { seal, written, redact, offer } = this.#options
    const queued = describeJob(
      job,
      written,
      [...tapes.values()].map(({ data }) => data),
    )
    return redact()(queued) === queued ? seal.seal(`job ${offer.run}`, queued) : undefined
  }

  /** Reads the reports of workers for as long as the run goes on. */
  async #collect(): Promise<void> {
    const { redis } = this.#options.connection
    while (!this.#isClosed) {
      const count = redis.status === 'ready' ? await this.#readReports().catch(() => 0) : 0
      if (count < manyReports) await wait(readMs)
    }
  }

  async #readReports(): Promise<number> {
    const received = await this.#inbox.read()
    for (const { entry, report } of received) {
      if (this.#isClosed) return 0
      const isInherited = this.#inherited.has(report.job) && !this.#jobs.has(report.job)
      if (isInherited) this.#early.set(report.job, { entry, report })
      else {
        this.#jobs.count(report)
        this.#done.push({ entry, job: report.job })
      }
    }
    await this.#removeDone()
    return received.length
  }

  /** Reports are removed from Redis when their results are on disk. */
  async #removeDone(): Promise<void> {
    const done = this.#done
    if (done.length === 0) return
    this.#done = []
    this.#run?.flush()
    await this.#inbox.remove(done.map(({ entry }) => entry))
    await forgetJobs(
      this.#options.connection.redis,
      this.#own,
      done.map(({ job }) => job).filter((job) => !this.#jobs.has(job)),
    )
  }

  /** What was reported before the job was asked for. */
  #countEarly(id: string): boolean {
    const early = this.#early.get(id)
    this.#early.delete(id)
    this.#inherited.delete(id)
    if (early === undefined) return false
    this.#done.push({ entry: early.entry, job: id })
    return this.#jobs.count(early.report)
  }

  #follow({ workers, slots, playing }: WorkerLoad): void {
    this.#slots = slots
    this.#run?.emit({ type: 'workers', workers, slots, playing })
    this.#onRoom()
  }

  /** Looks after the run for as long as it goes on. */
  async #look(): Promise<void> {
    while (!this.#isClosed) {
      const { redis } = this.#options.connection
      if (redis.status === 'ready')
        await this.#watch
          .tick()
          .catch((error: unknown) => this.#notes.note(describeRefusal(errorMessage(error))))
      this.#watch.checkLost()
      await wait(tickMs)
    }
  }

  #giveUp(message: string): void {
    if (this.#lost.signal.aborted) return
    this.#notes.complain(`The run ends: ${message}`)
    this.#lost.abort(new InfrastructureError('queue', message))
  }
}
