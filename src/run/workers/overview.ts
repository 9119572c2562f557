import { randomUUID } from 'node:crypto'
import { namingForeignKeys } from './foreign-keys.ts'
import { queueKeys } from './keys.ts'
import { anyOfferSchema, runOfferSchema, type WorkerStatus } from './messages.ts'
import type { QueueConnection } from './redis.ts'
import { removeRun } from './remove-run.ts'
import type { Seal } from './seal.ts'
import { listWorkers, workerGoneMs } from './worker-watch.ts'

/** A run that has something in Redis. */
export interface QueuedRun {
  run: string
  /** Whether a `viva test` reads its results now. */
  has_coordinator: boolean
  started_at?: string
  /** The number of results that it will have. */
  total?: number
  /** How many of them are in its results file. */
  finished?: number
  version?: string
  /** Jobs that no worker plays. */
  waiting: number
  /** Jobs that workers play. */
  playing: number
  /** Jobs whose results are in Redis only. */
  unread: number
  /** Results that came too late. */
  superseded: number
}

export interface QueueOverview {
  workers: WorkerStatus[]
  runs: QueuedRun[]
}

/** What is in a queue. */
export async function readOverview(connection: QueueConnection, seal: Seal): Promise<QueueOverview> {
  const { redis, address } = connection
  const keys = queueKeys(address.prefix)
  const { workers, now } = await listWorkers(redis, keys, seal)
  const runs = await Promise.all(
    (await listRuns(connection)).map((run) =>
      namingForeignKeys(connection, () => describeRun(connection, run, seal), run),
    ),
  )
  return { workers: workers.filter(({ seenAt }) => now - seenAt < workerGoneMs), runs }
}

async function describeRun(connection: QueueConnection, run: string, seal: Seal): Promise<QueuedRun> {
  const { redis, address } = connection
  const keys = queueKeys(address.prefix)
  const own = keys.run(run)
  const jobs = `${address.prefix}:${own.queue}`
  const [present, offer, finished, waiting, active, unread, superseded] = await Promise.all([
    redis.exists(own.coordinator),
    redis.hget(keys.runs, run),
    redis.get(own.finished),
    redis.llen(`${jobs}:wait`),
    redis.lrange(`${jobs}:active`, 0, -1),
    redis.xlen(own.reports),
    redis.get(own.superseded),
  ])
  // Those of a dead worker are in the list until another one takes them.
  const playing = active.length === 0 ? 0 : await redis.exists(active.map((id) => `${jobs}:${id}:lock`))
  return {
    run,
    has_coordinator: present === 1,
    ...(offer !== null && readOffer(offer, seal)),
    ...(finished !== null && { finished: Number(finished) }),
    waiting: waiting + active.length - playing,
    playing,
    unread,
    superseded: Number(superseded ?? 0),
  }
}

/** What can be read of an offer that may be of another version, or signed with another secret. */
function readOffer(text: string, seal: Seal): Pick<QueuedRun, 'started_at' | 'total' | 'version'> {
  try {
    const offer = seal.open('run', text)
    const { version } = anyOfferSchema.parse(offer)
    const whole = runOfferSchema.safeParse(offer)
    return whole.success
      ? { version, started_at: whole.data.startedAt, total: whole.data.total }
      : { version }
  } catch {
    return {}
  }
}

/** The ids of all runs that have anything in Redis, in the order in which they began. */
async function listRuns({ redis, address: { prefix } }: QueueConnection): Promise<string[]> {
  const keys = queueKeys(prefix)
  const runs = new Set(await redis.hkeys(keys.runs))
  const own = keys.run('*')
  for (const pattern of [own.reports, own.starts, own.coordinator, `${prefix}:${own.queue}:*`])
    for await (const found of redis.scanStream({ match: pattern, count: 1000 }))
      for (const key of found as string[]) {
        const run = runName.exec(key.slice(prefix.length))?.[1]
        if (run !== undefined) runs.add(run)
      }
  return [...runs].sort()
}

const runName = /^:(?:run:|jobs-)(\d{14}-[0-9a-f]{8})(?::|$)/

/** Removes what a run has left in Redis. False if it has a coordinator. */
export async function cleanRun(connection: QueueConnection, run: string): Promise<boolean> {
  const { redis, address, packages } = connection
  const queue = new packages.Queue(queueKeys(address.prefix).run(run).queue, {
    connection: redis,
    prefix: address.prefix,
    skipMetasUpdate: true,
  })
  queue.on('error', () => {})
  const isRemoved = await removeRun(connection, run, { queue, mark: randomUUID() })
  await queue.close()
  return isRemoved
}
