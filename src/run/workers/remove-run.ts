import type { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import { listRunKeys, type QueueKeys, queueKeys } from './keys.ts'
import type { QueueConnection } from './redis.ts'

/** How long workers can see that a run has ended. */
const endedSeconds = 600
/** Nobody else becomes its coordinator meanwhile. */
const removingMs = 8000

// A Redis that is full refuses to set anything, and has all the more reason to be rid of the run.
const endScript = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.pcall('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.pcall('SET', KEYS[2], '1', 'EX', ARGV[3])
redis.call('HDEL', KEYS[3], ARGV[4])
return 1`

const deleteScript = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
for _, key in ipairs(KEYS) do redis.call('DEL', key) end
return 1`

/** Lets the workers of a run stop. False if another coordinator has it, whose mark is not this one. */
export async function endRun(
  { redis, address }: Pick<QueueConnection, 'redis' | 'address'>,
  run: string,
  mark: string,
): Promise<boolean> {
  const keys = queueKeys(address.prefix)
  const own = keys.run(run)
  const used = [own.coordinator, own.ended, keys.runs]
  const limits = [String(removingMs), String(endedSeconds)]
  return (await redis.eval(endScript, used.length, ...used, mark, ...limits, run)) === 1
}

/**
 * Removes everything of a run from Redis. Workers that play it stop. False if another coordinator has it, whose mark is
 * not this one.
 */
export async function removeRun(
  connection: Pick<QueueConnection, 'redis' | 'address'>,
  run: string,
  { queue, mark }: { queue: Pick<Queue, 'obliterate'>; mark: string },
): Promise<boolean> {
  if (!(await endRun(connection, run, mark))) return false
  await queue.obliterate({ force: true })
  const { redis, address } = connection
  const left = listRunKeys(queueKeys(address.prefix).run(run))
  return (await redis.eval(deleteScript, left.length, ...left, mark)) === 1
}

const sweepScript = `
if redis.call('EXISTS', KEYS[1]) == 1 or redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then return end
redis.call('DEL', KEYS[3])`

/** Removes what a worker has left that looked for jobs after its run had been removed. */
export async function sweepRun(redis: Redis, queue: QueueKeys, run: string): Promise<void> {
  const { coordinator, meta } = queue.run(run)
  await redis.eval(sweepScript, 3, coordinator, queue.runs, meta, run)
}
