import type { Redis } from 'ioredis'
import type { QueueKeys } from './keys.ts'
import { type WorkerStatus, workerStatusSchema } from './messages.ts'
import type { Seal } from './seal.ts'

/** A worker that was not heard of for so long is gone. It reports every two seconds. */
export const workerGoneMs = 8000
/** How long the status of a worker is kept. */
export const statusKeptMs = 20_000

/** All workers that were heard of lately, and the time on the clock of Redis. */
export async function listWorkers(
  redis: Redis,
  keys: QueueKeys,
  seal: Seal,
): Promise<{ workers: WorkerStatus[]; now: number }> {
  const [ids, now] = await Promise.all([redis.smembers(keys.workers), redisTime(redis)])
  if (ids.length === 0) return { workers: [], now }
  const texts = await redis.mget(ids.map((id) => keys.worker(id)))
  // Of those that were killed, nothing else would remove the id. One that is still there writes it again.
  const gone = ids.filter((_, place) => texts[place] === null)
  if (gone.length > 0) await redis.srem(keys.workers, ...gone).catch(() => {})
  const workers = texts.flatMap((text) => (text === null ? [] : (readStatus(text, seal) ?? [])))
  return { workers, now }
}

export async function redisTime(redis: Redis): Promise<number> {
  const [seconds, microseconds] = await redis.time()
  return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000)
}

/** Undefined for a status that is none, or of a newer version. */
function readStatus(text: string, seal: Seal): WorkerStatus | undefined {
  try {
    return workerStatusSchema.parse(seal.open('worker', text))
  } catch {
    return undefined
  }
}

/** Workers that do not play anything yet may need so much longer, to load the project. */
const loadingMs = 60_000
/** Where so many have died before they played anything, others that start will, too. */
const mostDeadAtStart = 3

/** Looks at workers that are further apart say nothing about the time between them. */
const longestGapMs = 3000

/** Whether somebody plays the jobs of a run. */
export class WorkerWatch {
  readonly #run: string
  /** On the clock of this process: when it was looked at the workers last, and since when without a gap. */
  #lastLook = performance.now()
  #since = performance.now()
  /** When a worker was last known to play jobs, of this run or of another one before it. Not before `#since`. */
  #lastSeen = performance.now()
  #hasIdle = false
  /** How many workers play other runs, by run, while nobody plays this one. */
  #busyElsewhere: ReadonlyMap<string, number> = new Map()
  /** Those that died before they played anything. */
  readonly #deadAtStart = new Set<string>()
  #shown = ''

  constructor(run: string) {
    this.#run = run
  }

  /** What is known of workers is out of date. */
  reset(): void {
    this.#lastLook = performance.now()
    this.#since = this.#lastLook
    this.#lastSeen = this.#lastLook
  }

  /** `refused`: workers that do not take part. Returns the workers of this run if their number or load has changed. */
  update(
    { workers, now }: { workers: readonly WorkerStatus[]; now: number },
    refused: ReadonlySet<string>,
  ): WorkerLoad | undefined {
    const look = performance.now()
    if (look - this.#lastLook > longestGapMs) this.reset()
    this.#lastLook = look
    const able = workers.filter(({ id }) => !refused.has(id))
    const present = able.filter(({ seenAt }) => now - seenAt < workerGoneMs)
    for (const each of able) this.#see(each, now)
    this.#hasIdle = present.some(({ run }) => run === undefined)
    const own = present.filter(({ run }) => run === this.#run)
    this.#busyElsewhere = own.length > 0 ? new Map() : countByRun(present)
    const load = {
      workers: own.length,
      slots: own.reduce((sum, { concurrency }) => sum + concurrency, 0),
      playing: own.reduce((sum, { playing }) => sum + playing.length, 0),
      jobs: own.flatMap(({ playing }) => playing),
    }
    const shown = JSON.stringify(load)
    if (shown === this.#shown) return undefined
    this.#shown = shown
    return load
  }

  /** A worker that died lately was there until its last status. */
  #see({ id, run, seenAt }: WorkerStatus, now: number): void {
    const silentMs = now - seenAt
    if (run !== undefined) this.#lastSeen = Math.max(this.#lastSeen, this.#lastLook - silentMs)
    else if (silentMs < workerGoneMs) this.#deadAtStart.delete(id)
    // Without Redis, no worker could write its status.
    else if (this.#lastLook - this.#since >= workerGoneMs) this.#deadAtStart.add(id)
  }

  /** How many workers play other runs, by run, where nobody plays this one. */
  get busyElsewhere(): ReadonlyMap<string, number> {
    return this.#busyElsewhere
  }

  /** Whether no worker was there for so long. One that never gets to play anything is not waited for endlessly. */
  isMissing(longestMs: number): boolean {
    const isLoading = this.#hasIdle && this.#deadAtStart.size < mostDeadAtStart
    return this.#lastLook - this.#lastSeen > longestMs + (isLoading ? loadingMs : 0)
  }
}

function countByRun(workers: readonly WorkerStatus[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { run } of workers) if (run !== undefined) counts.set(run, (counts.get(run) ?? 0) + 1)
  return counts
}

/** What the workers of a run do. */
export interface WorkerLoad {
  workers: number
  /** How many jobs they can play at once. */
  slots: number
  /** How many jobs they play. */
  playing: number
  /** The ids of these jobs. */
  jobs: readonly string[]
}
