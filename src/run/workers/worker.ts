import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { ConfigError, errorMessage } from '../../errors.ts'
import { isRecord } from '../../json/json.ts'
import { pause, withTimeout } from '../../scope/deadline.ts'
import { pluralize } from '../../text/counted.ts'
import { shortDuration } from '../../text/duration.ts'
import { version } from '../../version.ts'
import { namingForeignKeys } from './foreign-keys.ts'
import { type QueueKeys, queueKeys } from './keys.ts'
import {
  anyOfferSchema,
  queueProtocol,
  type RunOffer,
  runOfferSchema,
  type WorkerStatus,
} from './messages.ts'
import type { OpenRun } from './open-run.ts'
import type { QueueConnection } from './redis.ts'
import { sweepRun } from './remove-run.ts'
import type { Seal } from './seal.ts'
import { type RunTrouble, ServedRun } from './served-run.ts'
import { redisTime, statusKeptMs } from './worker-watch.ts'

export interface WorkerOptions {
  connection: QueueConnection
  seal: Seal
  concurrency: number
  /** Leaves after the first run. */
  once: boolean
  /** How long jobs may go on when the worker leaves; then they are given back. */
  graceMs: number
  /** Asks the worker to leave. */
  leaving: AbortSignal
  /** Opens a run and serves it. Throws `ConfigError` if it cannot take part. */
  open(offer: RunOffer, serve: (run: OpenRun) => Promise<void>): Promise<void>
  print(line: string): void
}

/** How often it looks for a run, and at those that it plays. */
const lookMs = 500
const statusMs = 2000
/** A worker that leaves does not wait longer for Redis. */
const forgetMs = 1000
/** How long it stays with a run that has no coordinator. */
const mostAloneMs = 15_000

/** Waits for runs, and takes part in one after the other until it is asked to leave. */
export class QueueWorker {
  readonly id = `${hostname()
    .replace(/[^\w.-]/g, '')
    .slice(0, 40)}-${process.pid}-${randomBytes(2).toString('hex')}`
  readonly #options: WorkerOptions
  readonly #keys: QueueKeys
  /** Runs that it does not take part in, with the marks of their coordinators: with another one, they are tried again. */
  readonly #refused = new Map<string, string>()
  /** The mark of the coordinator of the run that was found. */
  #mark = ''
  #served: { run: string; serving: ServedRun } | undefined
  #done = 0
  /** Since when the run has neither a coordinator nor jobs that are played. */
  #aloneSince: number | undefined

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#keys = queueKeys(options.connection.address.prefix)
  }

  async work(): Promise<void> {
    const { connection, leaving, once, print } = this.#options
    const stop = new AbortController()
    const reporting = this.#reportStatus(stop.signal)
    try {
      while (!leaving.aborted) {
        const found = await namingForeignKeys(connection, () => this.#untilLeaving(() => this.#findRun()))
        if (found === undefined) {
          await pause(lookMs, leaving).catch(() => {})
          continue
        }
        const isServed = await namingForeignKeys(connection, () => this.#takePart(found), found)
        if (once && isServed) break
        if (!leaving.aborted) print('Waiting for a run')
      }
    } finally {
      stop.abort(new Error('left'))
      await reporting
      await this.#forget()
    }
  }

  /** Undefined when the worker leaves, which does not wait for Redis. */
  async #untilLeaving<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { connection, leaving } = this.#options
    try {
      return await connection.persist(work, leaving)
    } catch (error) {
      if (leaving.aborted) return undefined
      throw error
    }
  }

  /** The run that began first, of those that have a coordinator. */
  async #findRun(): Promise<string | undefined> {
    const { redis } = this.#options.connection
    const runs = (await redis.hkeys(this.#keys.runs)).sort()
    for (const run of this.#refused.keys()) if (!runs.includes(run)) this.#refused.delete(run)
    for (const run of runs) {
      const mark = await redis.get(this.#keys.run(run).coordinator)
      if (mark === null || this.#refused.get(run) === mark) continue
      this.#mark = mark
      return run
    }
    return undefined
  }

  /** False if it refuses the run, or has to open it again. */
  async #takePart(run: string): Promise<boolean> {
    const { connection, seal, open } = this.#options
    const text = await this.#untilLeaving(() => connection.redis.hget(this.#keys.runs, run))
    if (text === null || text === undefined) return false
    let isOpen = false
    let trouble: RunTrouble | undefined
    try {
      const offer = readOffer(text, run, seal)
      await open(offer, async (opened) => {
        isOpen = true
        trouble = await this.#serve(offer, opened)
      })
    } catch (error) {
      // Whoever waits for the run sees why nobody plays it.
      if (!isOpen) await this.#refuse(run, errorMessage(error))
      if (!(error instanceof ConfigError) && !(error instanceof OfferError)) throw error
      if (isOpen) throw error
      return false
    }
    return await this.#isServed(run, trouble)
  }

  async #isServed(run: string, trouble: RunTrouble | undefined): Promise<boolean> {
    if (trouble?.kind === 'unable') await this.#refuse(run, trouble.reason)
    return trouble === undefined
  }

  async #refuse(run: string, reason: string): Promise<void> {
    const { connection, print } = this.#options
    this.#refused.set(run, this.#mark)
    print(`Does not take part in run ${run}: ${reason}`)
    const key = this.#keys.run(run).refusals
    const hour = 3600
    await this.#untilLeaving(async () => {
      await connection.redis.hset(key, this.id, reason.slice(0, 2000))
      await connection.redis.expire(key, hour)
    })
  }

  /** Until the run has ended, or the worker leaves. Returns why it cannot go on otherwise. */
  async #serve(offer: RunOffer, run: OpenRun): Promise<RunTrouble | undefined> {
    const { connection, seal, concurrency, leaving, print } = this.#options
    const keys = this.#keys.run(offer.run)
    const onDone = () => {
      this.#done += 1
    }
    const common = { connection, offer, keys, seal, concurrency, worker: this.id, onDone }
    const serving = new ServedRun(run, common)
    this.#served = { run: offer.run, serving }
    this.#aloneSince = undefined
    const atOnce =
      serving.concurrency < concurrency ? `, ${pluralize(serving.concurrency, 'case')} at once` : ''
    print(`Takes part in run ${offer.run} (${offer.variants.join(', ') || 'script tests'})${atOnce}`)
    try {
      await this.#untilLeaving(() => connection.redis.hdel(keys.refusals, this.id))
      await this.#untilLeaving(() => this.#writeStatus())
      while (!leaving.aborted) {
        const isOver = await this.#untilLeaving(() => this.#isOver(offer.run, serving))
        if (isOver || serving.trouble !== undefined) return await this.#endServing(offer.run, serving)
        await pause(lookMs, leaving).catch(() => {})
      }
      await this.#finish(serving)
      return undefined
    } finally {
      // Whatever has gone wrong: nobody looks after its jobs any more.
      await serving.abandon()
      this.#served = undefined
      await withTimeout(forgetMs, sweepRun(connection.redis, this.#keys, offer.run)).catch(() => {})
    }
  }

  async #endServing(run: string, serving: ServedRun): Promise<RunTrouble | undefined> {
    const { print } = this.#options
    const { trouble } = serving
    if (trouble === undefined) {
      print(`Run ${run} has ended`)
      // Its coordinator waits to hear of it: one of the cases may have ended it.
      await this.#untilLeaving(() => this.#writeStatus())
    } else if (trouble.kind === 'changed') print(`Run ${run} was started again in another way`)
    else {
      serving.handBack()
      await serving.finish()
    }
    return trouble
  }

  /** Takes no more jobs, and gives back those that do not end in time. */
  async #finish(serving: ServedRun): Promise<void> {
    const { graceMs, print } = this.#options
    const count = serving.playing().length
    if (count > 0)
      print(`Leaves after ${pluralize(count, 'running case')}, or after ${shortDuration(graceMs)}`)
    const timer = setTimeout(() => serving.handBack(), graceMs)
    await serving.finish()
    clearTimeout(timer)
  }

  /** A run whose coordinator is gone is over when nothing is left to play: another one may go on with it. */
  async #isOver(run: string, serving: ServedRun): Promise<boolean> {
    const { redis } = this.#options.connection
    const keys = this.#keys.run(run)
    const [ended, present] = await Promise.all([redis.exists(keys.ended), redis.exists(keys.coordinator)])
    if (ended === 1) return true
    await serving.findChange()
    await serving.dropSuperseded()
    if (present === 1 || serving.playing().length > 0) this.#aloneSince = undefined
    else this.#aloneSince ??= performance.now()
    return this.#aloneSince !== undefined && performance.now() - this.#aloneSince > mostAloneMs
  }

  async #reportStatus(stop: AbortSignal): Promise<void> {
    const { persist } = this.#options.connection
    while (!stop.aborted) {
      await persist(() => this.#writeStatus(), stop).catch(() => {})
      await pause(statusMs, stop).catch(() => {})
    }
  }

  async #writeStatus(): Promise<void> {
    const { connection, seal, concurrency } = this.#options
    const { redis } = connection
    const status: WorkerStatus = {
      id: this.id,
      host: hostname(),
      pid: process.pid,
      version,
      concurrency: this.#served?.serving.concurrency ?? concurrency,
      ...(this.#served && { run: this.#served.run }),
      playing: this.#served?.serving.playing() ?? [],
      done: this.#done,
      seenAt: await redisTime(redis),
    }
    await redis
      .multi()
      .sadd(this.#keys.workers, this.id)
      .set(this.#keys.worker(this.id), seal.seal('worker', status), 'PX', statusKeptMs)
      .exec()
  }

  async #forget(): Promise<void> {
    const { redis } = this.#options.connection
    const removing = redis.pipeline().srem(this.#keys.workers, this.id).del(this.#keys.worker(this.id)).exec()
    await withTimeout(forgetMs, removing).catch(() => {})
  }
}

/** An offer that this worker cannot read. */
class OfferError extends Error {}

function readOffer(text: string, run: string, seal: Seal): RunOffer {
  let message: unknown
  try {
    message = seal.open('run', text)
  } catch (error) {
    throw new OfferError(`its description is refused: ${errorMessage(error)}`)
  }
  const any = anyOfferSchema.safeParse(message)
  if (!any.success || !isRecord(message)) throw new OfferError('its description cannot be read')
  if (any.data.version !== version || any.data.protocol !== queueProtocol)
    throw new OfferError(`it is of viva ${any.data.version}, and this worker is viva ${version}`)
  const offer = runOfferSchema.safeParse(message)
  if (!offer.success)
    throw new OfferError(`its description is not valid: ${offer.error.issues[0]?.message ?? ''}`)
  if (offer.data.run !== run) throw new OfferError('its description is of another run')
  return offer.data
}
