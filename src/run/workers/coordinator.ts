import { setTimeout as wait } from 'node:timers/promises'
import type { Queue } from 'bullmq'
import type { CaseEntry, Job } from '../../cases/entry.ts'
import { errorMessage, InfrastructureError } from '../../errors.ts'
import type { Redactor } from '../../privacy/redact.ts'
import type { PlayTape, Tapes } from '../../scope/tape.ts'
import { pluralize } from '../../text/counted.ts'
import { shortDuration } from '../../text/duration.ts'
import type { JobPlayer, PlayerRun } from '../job-player.ts'
import { resultKey } from '../jobs.ts'
import type { ConcurrencyLimit } from '../queue/concurrency-limit.ts'
import type { OnResult } from '../stage.ts'
import { forgetJobs } from './atomic.ts'
import { CoordinatorMark } from './coordinator-mark.ts'
import { JobSender } from './job-sender.ts'
import { type QueueKeys, queueKeys, type RunKeys } from './keys.ts'
import type { JobReport, RunOffer } from './messages.ts'
import { describeJob, jobId, secretError } from './queued-job.ts'
import type { QueueConnection } from './redis.ts'
import { removeRun } from './remove-run.ts'
import { type ReceivedReport, ReportInbox } from './report-inbox.ts'
import { readReportedResults, reportError, reportFailed, reportNotRun } from './reported-results.ts'
import type { Seal } from './seal.ts'
import { listWorkers, WorkerWatch } from './worker-watch.ts'

export interface CoordinatorOptions {
  connection: QueueConnection
  offer: RunOffer
  seal: Seal
  /** A case that is in no file, as it was written; undefined for others. */
  written(entry: CaseEntry): unknown
  tapes: Tapes | undefined
  keepTools: (server: string, tools: readonly RecordedTools[]) => void
  redact(): Redactor
  /** After so long without a worker, the run ends. */
  workerTimeoutMs: number
  note(line: string): void
  /** A line about something that went wrong. */
  complain(line: string): void
}

type RecordedTools = NonNullable<JobReport['tools']>[number][1][number]

interface OpenJob {
  job: Job
  tapes: Map<string, PlayTape>
  message: string
  isStarted: boolean
  /** How often it was in no place where it should be. */
  missed: number
  onResult: OnResult
  done(): void
}

const tickMs = 1000
/** Without Redis for this time, the run ends. */
const mostLostMs = 120_000
/** So many at once show that there are more. */
const manyReports = 100
const mostRemovingMs = 5000

/**
 * Lets workers play the jobs of a run, and is the only one who counts their results. A job is in the queue until a worker
 * has reported its results to a list, from which they are removed when they are in the journal.
 */
export class Coordinator implements JobPlayer {
  readonly #options: CoordinatorOptions
  readonly #keys: QueueKeys
  readonly #own: RunKeys
  readonly #queue: Queue
  readonly #sender: JobSender
  readonly #watch: WorkerWatch
  readonly #mark: CoordinatorMark
  readonly #inbox: ReportInbox
  readonly #open = new Map<string, OpenJob>()
  /** Jobs that workers have played, or play, for an earlier coordinator of this run. */
  readonly #inherited = new Set<string>()
  /** What was reported of them before they were asked for. */
  readonly #early = new Map<string, ReceivedReport>()
  /** Reports that were counted, and are still in Redis. */
  #done: { entry: string; job: string }[] = []
  readonly #lost = new AbortController()
  readonly #refusals = new Map<string, string>()
  readonly #noted = new Set<string>()
  #run: PlayerRun | undefined
  #slots = 0
  #onRoom = () => {}
  #isClosed = false
  #loops: Promise<unknown> = Promise.resolve()
  #ticks = 0

  constructor(options: CoordinatorOptions) {
    const { connection, offer } = options
    this.#options = options
    this.#keys = queueKeys(connection.address.prefix)
    this.#own = this.#keys.run(offer.run)
    const { Queue: BullQueue } = connection.packages
    this.#queue = new BullQueue(this.#own.queue, {
      connection: connection.redis,
      prefix: connection.address.prefix,
      skipMetasUpdate: true,
    })
    this.#queue.on('error', () => {})
    this.#sender = new JobSender(this.#queue, (message) => this.#noteOnce(describeRefusal(message)))
    this.#watch = new WorkerWatch(offer.run)
    this.#mark = new CoordinatorMark(connection.redis, this.#own)
    this.#inbox = new ReportInbox({
      redis: connection.redis,
      keys: this.#own,
      run: offer.run,
      seal: options.seal,
      mark: this.#mark,
      onInvalid: (why) =>
        this.#noteOnce(`A message in the queue is no report of a worker, and is ignored: ${why}`),
    })
  }

  /** Announces the run, and reads what an earlier coordinator of it has left. */
  async open(): Promise<void> {
    const { redis } = this.#options.connection
    await this.#mark.take(() =>
      this.#noteOnce('Waiting until the earlier coordinator of this run is known to be gone'),
    )
    // What nobody has started may not be wanted any more. What is being played is.
    await this.#queue.drain()
    for (const { id } of await this.#queue.getActive()) this.#inherited.add(id ?? '')
    await redis
      .pipeline()
      .del(this.#own.ended)
      .hset(this.#keys.runs, this.#options.offer.run, this.#offered())
      .exec()
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
    hasRoom: (underWay) => underWay < Math.max(64, 4 * this.#slots),
    onRoom: (goOn) => {
      this.#onRoom = goOn
    },
  }

  start(run: PlayerRun): void {
    this.#run = run
    const stop = () => this.#stop(run.signal.reason)
    if (run.signal.aborted) stop()
    else run.signal.addEventListener('abort', stop, { once: true })
    this.#loops = Promise.all([this.#repeat(() => this.#tick()), this.#collect()])
  }

  async play(job: Job, onResult: OnResult): Promise<void> {
    const reason: unknown = this.#run?.signal.aborted ? this.#run.signal.reason : undefined
    const id = jobId(job, this.#options.offer.run)
    const tapes = this.#openTapes(job)
    const message = this.#write(job, tapes)
    if (reason !== undefined || message === undefined) {
      const error = reason ?? secretError()
      reportFailed(job, error, onResult)
      return
    }
    await new Promise<void>((done) => {
      const open = { job, tapes, message, isStarted: false, missed: 0, onResult, done }
      this.#open.set(id, open)
      if (!this.#countEarly(id)) this.#sender.send({ id, message })
    })
  }

  withdraw(why: string): void {
    const ids = [...this.#open].filter(([, { isStarted }]) => !isStarted).map(([id]) => id)
    void this.#sender.withdraw(ids).then((withdrawn) => {
      for (const id of withdrawn) this.#end(id, ({ job, onResult }) => reportNotRun(job, why, onResult))
    })
  }

  /** Removes the run from Redis: its workers stop. If Redis cannot be reached, the run can be continued there. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#sender.close()
    const { connection, offer } = this.#options
    if (connection.redis.status === 'ready' && this.#mark.isOwn) {
      const removing = removeRun(connection, offer.run, this.#queue)
      await Promise.race([removing, wait(mostRemovingMs, undefined, { ref: false })]).catch(() => {})
    }
    await Promise.race([this.#loops, wait(tickMs, undefined, { ref: false })])
    await Promise.race([this.#queue.close(), wait(tickMs, undefined, { ref: false })]).catch(() => {})
  }

  #offered(): string {
    const { seal, offer } = this.#options
    return seal.seal('run', offer)
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
      if (count < manyReports) await wait(count > 0 ? 4 : 15)
    }
  }

  async #readReports(): Promise<number> {
    const received = await this.#inbox.read()
    for (const { entry, report } of received) {
      if (this.#isClosed) return 0
      const isInherited = this.#inherited.has(report.job) && !this.#open.has(report.job)
      if (isInherited) this.#early.set(report.job, { entry, report })
      else {
        this.#count(report)
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
      done.map(({ job }) => job).filter((job) => !this.#open.has(job)),
    )
  }

  /** Counts the results of a job, once. False for a report that does not count. */
  #count(report: JobReport): boolean {
    const open = this.#open.get(report.job)
    // It was counted before, or is of nobody's job.
    if (open === undefined) return false
    const results = readReportedResults(report, open.job, this.#options.redact())
    if (results === undefined) {
      this.#noteOnce('A report in the queue has results of other cases, and is ignored')
      return false
    }
    this.#end(report.job, ({ job, onResult, tapes }) => {
      this.#announce(open)
      for (const [server, tools] of report.tools ?? []) this.#options.keepTools(server, tools)
      for (const { key, isComplete, kept } of report.tapes ?? [])
        (tapes.get(key.id) ?? this.#options.tapes?.open(key))?.close({ isComplete, kept })
      for (const { entry, result } of results) onResult(result, entry)
      if (results.length === 0) reportFailed(job, reportError(report), onResult)
    })
    return true
  }

  /** What was reported before the job was asked for. */
  #countEarly(id: string): boolean {
    const early = this.#early.get(id)
    this.#early.delete(id)
    this.#inherited.delete(id)
    if (early === undefined) return false
    this.#done.push({ entry: early.entry, job: id })
    return this.#count(early.report)
  }

  #end(id: string, report: (open: OpenJob) => void): void {
    const open = this.#open.get(id)
    if (open === undefined) return
    this.#open.delete(id)
    try {
      report(open)
    } finally {
      open.done()
    }
  }

  #announce(open: OpenJob): void {
    if (open.isStarted) return
    open.isStarted = true
    for (const { name, ...entry } of open.job.entries) {
      const key = resultKey(entry, open.job)
      this.#run?.emit({ type: 'case_started', key, ...(name !== undefined && { name }) })
    }
  }

  /** The run was stopped: whatever workers make of the rest does not count. */
  #stop(reason: unknown): void {
    for (const id of [...this.#open.keys()])
      this.#end(id, ({ job, onResult, isStarted }) => {
        if (isStarted) reportFailed(job, reason, onResult)
        else reportNotRun(job, reason, onResult)
      })
  }

  async #repeat(work: () => Promise<void>): Promise<void> {
    while (!this.#isClosed) {
      const { redis } = this.#options.connection
      if (redis.status === 'ready')
        await work().catch((error: unknown) => this.#noteOnce(describeRefusal(errorMessage(error))))
      this.#checkLost()
      await wait(tickMs)
    }
  }

  /** Once a second: shows that it is there, looks at the workers, and after jobs that are lost. */
  async #tick(): Promise<void> {
    const { connection, offer, seal } = this.#options
    const { redis } = connection
    this.#ticks += 1
    if (!(await this.#mark.renew())) return this.#giveUp('another viva test has taken it over')
    await this.#noteSuperseded()
    if ((await redis.hexists(this.#keys.runs, offer.run)) === 0) await this.#startAgain()
    await this.#readRefusals()
    const listed = await listWorkers(redis, this.#keys, seal)
    const load = this.#watch.update(listed, new Set(this.#refusals.keys()))
    if (load !== undefined) {
      this.#slots = load.slots
      for (const id of load.jobs) {
        const open = this.#open.get(id)
        if (open !== undefined) this.#announce(open)
      }
      const { workers, slots, playing } = load
      this.#run?.emit({ type: 'workers', workers, slots, playing })
      this.#onRoom()
    }
    if (this.#ticks % 3 === 0) await this.#findMissing()
  }

  /** Redis has lost its data: the run is announced again, and all jobs without results are sent again. */
  async #startAgain(): Promise<void> {
    const { redis } = this.#options.connection
    await redis.hset(this.#keys.runs, this.#options.offer.run, this.#offered())
    this.#inbox.rewind()
    this.#options.note(
      `Redis has lost the run: ${pluralize(this.#open.size, 'job is', 'jobs are')} sent again`,
    )
    for (const [id, { message }] of this.#open) this.#sender.send({ id, message })
  }

  /** A job that is neither in the queue nor being played, and has no results, is sent again when that was seen twice. */
  async #findMissing(): Promise<void> {
    const { redis, address } = this.#options.connection
    const asked = [...this.#open]
    const pipeline = redis.pipeline()
    for (const [id] of asked) pipeline.exists(`${address.prefix}:${this.#own.queue}:${id}`)
    const found = (await pipeline.exec()) ?? []
    for (const [place, [id, open]] of asked.entries()) {
      const isThere = found[place]?.[1] !== 0
      open.missed = isThere ? 0 : open.missed + 1
      if (open.missed < 2 || !this.#open.has(id)) continue
      open.missed = 0
      this.#sender.send({ id, message: open.message })
    }
  }

  async #noteSuperseded(): Promise<void> {
    const count = Number(await this.#options.connection.redis.get(this.#own.superseded))
    if (count > 0)
      this.#noteOnce(
        'Results came too late and do not count: another worker had taken over their jobs (superseded)',
      )
  }

  async #readRefusals(): Promise<void> {
    const refusals = await this.#options.connection.redis.hgetall(this.#own.refusals)
    for (const [worker, reason] of Object.entries(refusals)) {
      if (this.#refusals.has(worker)) continue
      this.#refusals.set(worker, reason)
      this.#options.complain(`Worker ${worker} does not take part: ${reason}`)
    }
  }

  #checkLost(): void {
    const { connection, workerTimeoutMs } = this.#options
    const lostMs = connection.lostMs()
    if (lostMs > 5000) this.#noteOnce(`Redis cannot be reached: ${connection.lastError()}; waiting for it`)
    if (lostMs > mostLostMs || this.#sender.refusedMs() > mostLostMs)
      this.#giveUp(`Redis could not be used for ${shortDuration(mostLostMs)}: ${connection.lastError()}`)
    // Without Redis nobody knows of any worker.
    else if (lostMs === 0 && this.#watch.isMissing(workerTimeoutMs)) this.#giveUp(this.#noWorkers())
  }

  #noWorkers(): string {
    const time = shortDuration(this.#options.workerTimeoutMs)
    const refused = this.#refusals.size
    const reason = refused === 0 ? 'start one with viva worker' : `${refused} did not take part`
    return `no worker for ${time}: ${reason}`
  }

  #giveUp(message: string): void {
    if (this.#lost.signal.aborted) return
    this.#options.complain(`The run ends: ${message}`)
    this.#lost.abort(new InfrastructureError('queue', message))
  }

  #noteOnce(line: string): void {
    if (this.#noted.has(line) || this.#noted.size > 20) return
    this.#noted.add(line)
    this.#options.note(line)
  }
}

function describeRefusal(message: string): string {
  const isFull = /OOM|maxmemory/.test(message)
  return isFull
    ? 'Redis is full: jobs wait until there is room (raise its maxmemory)'
    : `Redis refuses a command, which is tried again: ${message}`
}
