import { hash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Queue } from 'bullmq'
import type { CaseEntry, Job } from '../../cases/entry.ts'
import { ConfigError, errorMessage, InfrastructureError } from '../../errors.ts'
import { sortedJson } from '../../json/json.ts'
import { type Redactor, redactKey } from '../../privacy/redact.ts'
import { resultFromLine } from '../../results/line.ts'
import type { CaseResult } from '../../results/result.ts'
import type { PlayTape, Tapes } from '../../scope/tape.ts'
import { pluralize } from '../../text/counted.ts'
import { shortDuration } from '../../text/duration.ts'
import { emptyResult, notRunResults, resultFromError } from '../empty-result.ts'
import type { JobPlayer, PlayerRun } from '../job-player.ts'
import { resultKey } from '../jobs.ts'
import type { ConcurrencyLimit } from '../queue/concurrency-limit.ts'
import type { OnResult } from '../stage.ts'
import { forgetJobs } from './atomic.ts'
import { JobSender } from './job-sender.ts'
import { listRunKeys, type QueueKeys, queueKeys, type RunKeys } from './keys.ts'
import { type JobReport, jobReportSchema, type QueuedJob, type RunOffer } from './messages.ts'
import type { QueueConnection } from './redis.ts'
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
/** How long the mark of a coordinator stays without it. */
const markMs = 8000
const reportsAtOnce = 200
/** How long workers can see that a run has ended. */
const endedSeconds = 600

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
  readonly #open = new Map<string, OpenJob>()
  /** Reports that an earlier coordinator of this run has not read. */
  readonly #early = new Map<string, JobReport>()
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
    this.#sender = new JobSender(this.#queue, (message) => this.#noteOnce(refusedJobs(message)))
    this.#watch = new WorkerWatch(offer.run)
  }

  /** Announces the run, and reads what an earlier coordinator of it has left. */
  async open(): Promise<void> {
    const { redis } = this.#options.connection
    await this.#takeOver()
    // What nobody has started may not be wanted any more. What is being played is.
    await this.#queue.drain()
    for (const text of await redis.lrange(this.#own.results, 0, -1)) {
      const report = this.#read(text)
      if (report !== undefined) this.#early.set(report.job, report)
    }
    await redis
      .pipeline()
      .del(this.#own.ended)
      .hset(this.#keys.runs, this.#options.offer.run, this.#offered())
      .exec()
  }

  /** Waits for the mark of an earlier coordinator to expire, which does not happen while that one is there. */
  async #takeOver(): Promise<void> {
    const { redis } = this.#options.connection
    const until = performance.now() + markMs + tickMs
    while ((await redis.set(this.#own.coordinator, this.#mark, 'PX', markMs, 'NX')) === null) {
      if (performance.now() > until)
        throw new ConfigError({
          code: 'bad_queue',
          message: 'this run has a coordinator already: another viva test',
        })
      this.#noteOnce('Waiting until the earlier coordinator of this run is known to be gone')
      await wait(tickMs)
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
      for (const entry of job.entries) onResult(failedResult(entry, job, error), entry)
      return
    }
    await new Promise<void>((done) => {
      const open = { job, tapes, message, isStarted: false, missed: 0, onResult, done }
      this.#open.set(id, open)
      const early = this.#early.get(id)
      this.#early.delete(id)
      if (early === undefined || !this.#count(early)) this.#sender.send({ id, message })
    })
  }

  withdraw(why: string): void {
    const ids = [...this.#open].filter(([, { isStarted }]) => !isStarted).map(([id]) => id)
    void this.#sender.withdraw(ids).then((withdrawn) => {
      for (const id of withdrawn) this.#end(id, ({ job, onResult }) => reportNotRun(job, why, onResult))
    })
  }

  /** Removes the run from Redis: its workers stop. A run that is to be resumed keeps what was not read. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#sender.close()
    const { connection, offer } = this.#options
    if (connection.redis.status === 'ready')
      await Promise.race([this.#remove(offer.run), wait(5000, undefined, { ref: false })]).catch(() => {})
    await Promise.race([this.#loops, wait(tickMs, undefined, { ref: false })])
    await Promise.race([this.#queue.close(), wait(tickMs, undefined, { ref: false })]).catch(() => {})
  }

  async #remove(run: string): Promise<void> {
    const { redis } = this.#options.connection
    await redis.pipeline().set(this.#own.ended, '1', 'EX', endedSeconds).hdel(this.#keys.runs, run).exec()
    await this.#queue.obliterate({ force: true })
    await redis.del(...listRunKeys(this.#own))
  }

  get #mark(): string {
    return `${this.#options.offer.startedAt} ${process.pid}`
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
    const { variant, run, attempt, entries } = job
    const queued: QueuedJob = {
      variant,
      run,
      attempt,
      cases: entries.map((entry) => {
        const { file, id, hash: caseHash, line } = entry
        const own = written(entry)
        return { file, id, hash: caseHash, line, ...(own !== undefined && { written: own }) }
      }),
      ...(tapes.size > 0 && { tapes: [...tapes.values()].map(({ data }) => data) }),
    }
    return redact()(queued) === queued ? seal.seal(`job ${offer.run}`, queued) : undefined
  }

  /** Reads the reports of workers for as long as the run goes on. */
  async #collect(): Promise<void> {
    const { redis } = this.#options.connection
    while (!this.#isClosed) {
      const count = redis.status === 'ready' ? await this.#readReports().catch(() => 0) : 0
      if (count < reportsAtOnce) await wait(count > 0 ? 4 : 15)
    }
  }

  async #readReports(): Promise<number> {
    const { redis } = this.#options.connection
    const texts = await redis.lrange(this.#own.results, 0, reportsAtOnce - 1)
    if (texts.length === 0 || this.#isClosed) return 0
    const counted: string[] = []
    for (const text of texts) {
      const report = this.#read(text)
      if (report !== undefined && this.#count(report)) counted.push(report.job)
    }
    // On disk before they are removed.
    this.#run?.flush()
    await redis.ltrim(this.#own.results, texts.length, -1)
    await forgetJobs(redis, this.#own, counted)
    return texts.length
  }

  #read(text: string): JobReport | undefined {
    try {
      return jobReportSchema.parse(this.#options.seal.open(`report ${this.#options.offer.run}`, text))
    } catch (error) {
      this.#noteOnce(`A message in the queue is no report of a worker, and is ignored: ${firstLine(error)}`)
      return undefined
    }
  }

  /** Counts the results of a job, once. False for a report that does not count. */
  #count(report: JobReport): boolean {
    const open = this.#open.get(report.job)
    // It was counted before, or is of nobody's job.
    if (open === undefined) return false
    const results = readResults(report, open.job, this.#options.redact())
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
      if (results.length === 0)
        for (const entry of job.entries) onResult(failedResult(entry, job, reportError(report)), entry)
    })
    return true
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
        if (!isStarted) return reportNotRun(job, reason, onResult)
        for (const entry of job.entries) onResult(failedResult(entry, job, reason), entry)
      })
  }

  async #repeat(work: () => Promise<void>): Promise<void> {
    while (!this.#isClosed) {
      const { redis } = this.#options.connection
      if (redis.status === 'ready')
        await work().catch((error: unknown) => this.#noteOnce(errorMessage(error)))
      this.#checkLost()
      await wait(tickMs)
    }
  }

  /** Once a second: shows that it is there, looks at the workers, and after jobs that are lost. */
  async #tick(): Promise<void> {
    const { connection, offer, seal } = this.#options
    const { redis } = connection
    this.#ticks += 1
    await redis.set(this.#own.coordinator, this.#mark, 'PX', markMs)
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
    else if (lostMs === 0 && this.#watch.missingMs() > workerTimeoutMs) this.#giveUp(this.#noWorkers())
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

/** The same for the same job of the same run, so that it is in the queue once. */
function jobId({ entries, variant, run, attempt }: Job, ofRun: string): string {
  const cases = entries.map(({ file, id, hash: caseHash }) => [file, id, caseHash])
  return `j${hash('sha256', sortedJson([ofRun, variant, run, attempt, cases])).slice(0, 24)}`
}

/** The results, if they are of the cases of this job. A report without results has none for any of them. */
function readResults(
  { results, refused, lost }: JobReport,
  job: Job,
  redact: Redactor,
): { entry: CaseEntry; result: CaseResult }[] | undefined {
  if (refused !== undefined || lost !== undefined) return []
  const read: { entry: CaseEntry; result: CaseResult }[] = []
  for (const line of results) {
    const entry = job.entries.find(({ id }) => redact(id) === line.id)
    if (entry === undefined) return undefined
    const key = resultKey(entry, job)
    const { file, variant } = redactKey(key, redact)
    const isOwn =
      line.file === file && line.variant === variant && line.run === key.run && line.attempt === key.attempt
    if (!isOwn || line.case_hash !== entry.hash) return undefined
    const result = resultFromLine(line)
    result.key = key
    read.push({ entry, result })
  }
  const isComplete = job.entries.every((entry) => read.some((each) => each.entry === entry))
  return isComplete ? read : undefined
}

function reportError({ lost, refused, worker }: JobReport): InfrastructureError {
  if (lost !== undefined)
    return new InfrastructureError('worker_lost', `${lost} workers ended while they played it`)
  return new InfrastructureError('queue', `worker ${worker} refused it: ${refused ?? 'it gave no reason'}`)
}

function secretError(): InfrastructureError {
  return new InfrastructureError(
    'queue',
    'the case holds a secret, which must not travel to a worker: put it in a case file, or a variable of the worker',
  )
}

function failedResult(entry: CaseEntry, job: Job, error: unknown): CaseResult {
  return { ...emptyResult(entry, resultKey(entry, job)), ...resultFromError(error) }
}

function reportNotRun(job: Job, why: unknown, onResult: OnResult): void {
  for (const [place, result] of notRunResults(job, why).entries()) {
    const entry = job.entries[place]
    if (entry !== undefined) onResult(result, entry)
  }
}

function refusedJobs(message: string): string {
  const isFull = /OOM|maxmemory/.test(message)
  return isFull
    ? 'Redis is full: jobs wait until there is room (raise its maxmemory)'
    : `Redis refuses jobs, which are sent again: ${message}`
}

function firstLine(error: unknown): string {
  return errorMessage(error).split('\n')[0] ?? ''
}
