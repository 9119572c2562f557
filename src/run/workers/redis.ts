import { setTimeout as wait } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { ConfigError, errorMessage, InfrastructureError } from '../../errors.ts'
import { pause, untilAborted } from '../../scope/deadline.ts'
import type { AbortState } from '../../scope/stop.ts'
import type { QueueAddress } from './address.ts'
import { refuseForeignKeys } from './foreign-keys.ts'
import { describeConnectionError, Heartbeat } from './heartbeat.ts'
import { importQueuePackages, type QueuePackages } from './packages.ts'
import { isPassing } from './refusal.ts'

/** An open connection to the Redis of a queue, which connects again by itself when it is lost. */
export interface QueueConnection {
  address: QueueAddress
  packages: QueuePackages
  redis: Redis
  /** For how long Redis has not answered; 0 while it does. */
  lostMs(): number
  /** Why it does not answer; empty while it does. */
  lastError(): string
  /** Calls it when Redis is lost, and when it is back. */
  watch(onChange: (isLost: boolean) => void): void
  /** Does it, and waits as long as Redis does not accept it. Throws the reason of `stop`, and what does not pass. */
  persist<T>(work: () => Promise<T>, stop: AbortState): Promise<T>
  close(): void
}

const connectTimeoutMs = 5000
/** How long to wait before Redis is asked again for what it has refused. */
const refusedWaitMs = 500
/** A server that lets itself be connected, and then says nothing, is not waited for. */
const answerTimeoutMs = 10_000
const longestRetryMs = 1000

/** Throws `ConfigError` for a server that cannot be used, and `InfrastructureError` for one that does not answer. */
export async function connectQueue(address: QueueAddress): Promise<QueueConnection> {
  const packages = await importQueuePackages()
  let isOpen = false
  const redis = new packages.Redis(address.url, {
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    // Commands wait for the connection, however long that takes: BullMQ needs it, and nothing may be lost.
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => (isOpen ? Math.min(attempt * 100, longestRetryMs) : null),
  })
  const heartbeat = new Heartbeat(redis)
  try {
    await withinTime(async () => {
      await redis.connect()
      await checkServer(redis, address)
      await selectDatabase(redis, address)
      await refuseForeignKeys({ redis, address })
    })
  } catch (error) {
    redis.disconnect()
    throw connectError(error, address, heartbeat.lastError)
  }
  isOpen = true
  heartbeat.start()
  return {
    address,
    packages,
    redis,
    lostMs: () => heartbeat.lostMs,
    lastError: () => heartbeat.lastError,
    watch: (onChange) => heartbeat.watch(onChange),
    persist,
    close() {
      heartbeat.stop()
      redis.disconnect()
    },
  }
}

async function persist<T>(work: () => Promise<T>, stop: AbortState): Promise<T> {
  for (;;) {
    try {
      return await untilAborted(work(), stop)
    } catch (error) {
      if (stop.aborted || !isPassing(errorMessage(error))) throw error
    }
    await pause(refusedWaitMs, stop)
  }
}

async function withinTime(work: () => Promise<void>): Promise<void> {
  const timer = new AbortController()
  const late = wait(answerTimeoutMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error('it does not answer like a Redis server')
  })
  const working = work()
  // Whichever comes second has nobody who waits for it.
  for (const each of [late, working]) each.catch(() => {})
  await Promise.race([working, late]).finally(() => timer.abort())
}

/** ioredis goes on with database 0 where the one of the address is refused. */
async function selectDatabase(redis: Redis, { url }: QueueAddress): Promise<void> {
  const database = databaseOf(url)
  if (database !== '') await redis.select(database)
}

/** Empty for the usual one. */
function databaseOf(url: string): string {
  const database = new URL(url).pathname.slice(1)
  return Number(database) === 0 ? '' : database
}

/** The oldest version that has all commands. */
const leastVersion = [6, 2] as const

async function checkServer(redis: Redis, { shown }: QueueAddress): Promise<void> {
  const info = readInfo(await redis.info())
  const version = info.get('redis_version') ?? ''
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major < leastVersion[0] || (major === leastVersion[0] && minor < leastVersion[1]))
    throw new ConfigError({
      code: 'bad_queue',
      message: `${shown} is Redis ${version}: a queue needs ${leastVersion.join('.')} or later`,
    })
  if (info.get('redis_mode') === 'cluster')
    throw new ConfigError({
      code: 'bad_queue',
      message: `${shown} is a Redis Cluster, which divides the keys of a queue between its servers`,
      hint: 'use a single Redis; a small one is enough',
    })
  if (info.get('role') === 'slave')
    throw new ConfigError({
      code: 'bad_queue',
      message: `${shown} is a read-only replica`,
      hint: 'give the address of its primary server',
    })
  const policy = info.get('maxmemory_policy') ?? 'noeviction'
  if (policy !== 'noeviction' && info.get('maxmemory') !== '0')
    throw new ConfigError({
      code: 'bad_queue',
      message: `${shown} removes keys when its memory is full (maxmemory-policy ${policy}): jobs and results would be lost`,
      hint: 'set maxmemory-policy to noeviction',
    })
}

/** `key:value` lines. */
function readInfo(text: string): Map<string, string> {
  const lines = text.split(/\r?\n/).map((line) => line.split(':'))
  return new Map(lines.map(([key = '', ...value]) => [key, value.join(':')]))
}

function connectError(error: unknown, { shown, url }: QueueAddress, lastError: string): Error {
  if (error instanceof ConfigError) return error
  const said = lastError === '' ? describeConnectionError(error) : lastError
  const message = /RESP type/.test(said) ? 'it does not answer like a Redis server' : said
  if (/^(?:WRONGPASS|NOAUTH|NOPERM|ERR .*(?:AUTH|password))/i.test(message))
    return new ConfigError({
      code: 'bad_queue',
      message: `${shown} ${/^NOAUTH/.test(message) ? 'asks for a password' : `does not accept the user or the password: ${message}`}`,
      hint: 'put them into the URL, or the password into the variable VIVA_QUEUE_PASSWORD',
    })
  if (/^ERR .*(?:DB index|out of range)/i.test(message))
    return new ConfigError({
      code: 'bad_queue',
      message: `${shown}: the server has no database ${databaseOf(url)}: ${message}`,
      hint: 'give the number of one that it has: redis://host:6379/0',
    })
  const other = url.startsWith('rediss:') ? 'redis:// (without TLS)' : 'rediss:// (with TLS)'
  const isHandshake = /closed|does not answer|SSL|TLS|wrong version|ECONNRESET|ETIMEDOUT|protocol/i.test(
    message,
  )
  return new InfrastructureError(
    'connection',
    `${shown} cannot be reached: ${message}${isHandshake ? `; does it need ${other}?` : ''}`,
    { cause: error },
  )
}
