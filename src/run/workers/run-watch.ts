import { ConfigError, errorMessage } from '../../errors.ts'
import { pluralize } from '../../text/counted.ts'
import { shortDuration } from '../../text/duration.ts'
import { findUnfinished } from './atomic.ts'
import type { CoordinatorMark } from './coordinator-mark.ts'
import { namingForeignKeys, refuseForeignKeys } from './foreign-keys.ts'
import type { JobSender } from './job-sender.ts'
import type { QueueKeys, RunKeys } from './keys.ts'
import type { Notes } from './notes.ts'
import type { OpenJobs } from './open-jobs.ts'
import type { QueueConnection } from './redis.ts'
import { describeRefusal, explainRefusal } from './refusal.ts'
import type { Seal } from './seal.ts'
import { listWorkers, type WorkerLoad, WorkerWatch } from './worker-watch.ts'

export interface RunWatchOptions {
  connection: QueueConnection
  keys: QueueKeys
  own: RunKeys
  run: string
  /** Announces the run to workers, also when Redis has lost it. */
  announce(): Promise<void>
  seal: Seal
  mark: CoordinatorMark
  jobs: OpenJobs
  sender: JobSender
  notes: Notes
  /** After so long without a worker, the run ends. */
  workerTimeoutMs: number
  /** How many results are in the journal. */
  countFinished(): number
  onLoad(load: WorkerLoad): void
  /** Redis has lost what was in it. */
  onDataLost(): void
  /** Jobs that were counted may still be in the queue. */
  forgetCounted(): Promise<void>
  giveUp(message: string): void
  times?: WatchTimes
}

export interface WatchTimes {
  tickMs: number
  /** While Redis cannot be used for this time, the run waits for it. Then it ends. */
  mostLostMs: number
}

const usualTimes: WatchTimes = { tickMs: 1000, mostLostMs: 120_000 }
/** A shorter time is not worth a line. */
const noticedMs = 5000
/** So rarely it is looked for jobs that are lost. */
const ticksPerSearch = 3

/** Looks once a second after a run in Redis: its workers, its jobs, and whether it is still there. */
export class RunWatch {
  readonly #options: RunWatchOptions
  readonly #times: WatchTimes
  readonly #workers: WorkerWatch
  /** Why workers do not take part, by their ids. */
  #refusals: Readonly<Record<string, string>> = {}
  #ticks = 0
  #timer: NodeJS.Timeout | undefined
  #isTicking = false
  /** Beats since Redis last did all that it was asked for. They are counted, and not time: this process may be suspended. */
  #beats = 0
  /** Why Redis did not do it; empty where it has not answered. */
  #refused = ''

  constructor(options: RunWatchOptions) {
    this.#options = options
    this.#times = options.times ?? usualTimes
    this.#workers = new WorkerWatch(options.run)
  }

  /** The beats do not wait for Redis: it may never answer. */
  start(): void {
    this.#workers.reset()
    this.#timer = setInterval(() => this.#beat(), this.#times.tickMs)
    this.#beat()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #beat(): void {
    this.#checkLost()
    this.#beats += 1
    if (!this.#isTicking) {
      this.#isTicking = true
      void this.#tryTick()
    }
  }

  async #tryTick(): Promise<void> {
    try {
      const { connection, run } = this.#options
      await namingForeignKeys(connection, () => this.#tick(), run)
      this.#beats = 0
      this.#refused = ''
    } catch (error) {
      this.#refused = errorMessage(error)
      if (error instanceof ConfigError) this.#options.giveUp(this.#refused)
      else if (this.#timer !== undefined) this.#options.notes.note(describeRefusal(this.#refused))
    }
    this.#isTicking = false
  }

  async #tick(): Promise<void> {
    const { connection, keys, own, run, seal, mark, jobs, onLoad, giveUp, workerTimeoutMs } = this.#options
    const { redis } = connection
    this.#ticks += 1
    const state = await mark.renew(this.#options.countFinished())
    if (state === 'taken') return giveUp('another viva test has taken it over')
    if (state === 'ended') return giveUp('it was removed from the queue')
    const isAnnounced = (await redis.hexists(keys.runs, run)) === 1
    if (this.#timer === undefined) return
    if (!isAnnounced) await this.#startAgain()
    await this.#noteSuperseded()
    this.#refusals = await redis.hgetall(own.refusals)
    for (const [worker, reason] of Object.entries(this.#refusals))
      this.#options.notes.complain(`Worker ${worker} does not take part: ${reason}`, reason)
    const load = this.#workers.update(
      await listWorkers(redis, keys, seal),
      new Set(Object.keys(this.#refusals)),
    )
    if (load !== undefined) {
      jobs.begin(load.jobs)
      onLoad(load)
    }
    await this.#noteBusyElsewhere()
    await this.#options.forgetCounted()
    const isMissing = jobs.size > 0 && this.#workers.isMissing(workerTimeoutMs)
    if (isMissing || this.#ticks % ticksPerSearch === 0) {
      // Workers and whoever reads their reports cannot go on with such keys, and have nobody to tell.
      await refuseForeignKeys(connection, run)
      const unfinished = await findUnfinished(redis, own, `${connection.address.prefix}:${own.queue}:`)
      jobs.noteStarted(unfinished)
      await this.#findMissing()
      // Whoever has a job may be there nevertheless, until its lock expires.
      if (isMissing && !unfinished.some(({ isHeld }) => isHeld)) giveUp(this.#noWorkers())
    }
  }

  /** Ends the run when Redis is gone for too long. */
  #checkLost(): void {
    const { connection, sender, notes, giveUp } = this.#options
    const { tickMs, mostLostMs } = this.#times
    const lostMs = this.#beats * tickMs
    const reason = this.#refused === '' ? connection.lastError() : explainRefusal(this.#refused)
    if (lostMs > noticedMs && this.#refused === '')
      notes.note(`Redis cannot be reached: ${reason}; waiting for it`)
    if (lostMs > mostLostMs || sender.refusedMs() > mostLostMs)
      giveUp(`Redis could not be used for ${shortDuration(mostLostMs)}: ${reason}`)
  }

  /** The run is announced again, and all jobs without results are sent again. */
  async #startAgain(): Promise<void> {
    const { announce, jobs, sender, notes, onDataLost } = this.#options
    // The run has ended during this look, and was removed.
    if (this.#timer === undefined) return
    await announce()
    onDataLost()
    this.#workers.reset()
    notes.note(`Redis has lost the run: ${pluralize(jobs.size, 'job is', 'jobs are')} sent again`)
    for (const [id, { message }] of jobs.list()) sender.send({ id, message })
  }

  /** A job that is neither in the queue nor being played, and has no results, is sent again when that was seen twice. */
  async #findMissing(): Promise<void> {
    const { connection, own, jobs, sender } = this.#options
    const asked = jobs.list()
    const pipeline = connection.redis.pipeline()
    for (const [id] of asked) pipeline.exists(`${connection.address.prefix}:${own.queue}:${id}`)
    const found = (await pipeline.exec()) ?? []
    for (const [place, [id, open]] of asked.entries()) {
      const isThere = found[place]?.[1] !== 0
      open.missed = isThere ? 0 : open.missed + 1
      if (open.missed < 2 || !jobs.has(id)) continue
      open.missed = 0
      sender.send({ id, message: open.message })
    }
  }

  /** A worker says for a moment after the end of a run that it plays it. */
  async #noteBusyElsewhere(): Promise<void> {
    const { connection, keys, notes } = this.#options
    for (const [run, count] of this.#workers.busyElsewhere)
      if ((await connection.redis.hexists(keys.runs, run)) === 1)
        notes.note(
          `${pluralize(count, 'worker is', 'workers are')} busy with run ${run}, which this run waits for`,
          `busy with ${run}`,
        )
  }

  async #noteSuperseded(): Promise<void> {
    const { connection, own, notes } = this.#options
    if (Number(await connection.redis.get(own.superseded)) > 0)
      notes.note(
        'Results came too late and do not count: another worker had taken over their jobs (superseded)',
      )
  }

  #noWorkers(): string {
    const time = shortDuration(this.#options.workerTimeoutMs)
    const refused = Object.keys(this.#refusals).length
    const reason = refused === 0 ? 'start one with viva worker' : `${refused} did not take part`
    return `no worker for ${time}: ${reason}`
  }
}
