import type { Redis } from 'ioredis'
import type { RunKeys } from './keys.ts'

/** A start of a job by one worker. Only the last one may report results. */
export interface StartedJob {
  id: string
  /** From 1. */
  start: number
}

const startScript = `
local start = redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
return {start, tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or '0')}`

/** Counts the start of a job. `lost`: how many workers ended while they played it. */
export async function startJob(
  redis: Redis,
  { starts, returns }: RunKeys,
  id: string,
): Promise<StartedJob & { lost: number }> {
  const [start, returned] = (await redis.eval(startScript, 2, starts, returns, id)) as [number, number]
  return { id, start, lost: start - 1 - returned }
}

const reportScript = `
if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then
  redis.call('XADD', KEYS[4], '*', 'report', ARGV[3])
  return 1
end
redis.call('HINCRBY', KEYS[2], ARGV[1], 1)
redis.call('INCR', KEYS[3])
return 0`

/** Reports the results of a start. False when another worker has taken over: then they do not count. */
export async function reportResults(
  redis: Redis,
  { starts, returns, superseded, reports }: RunKeys,
  { id, start }: StartedJob,
  message: string,
): Promise<boolean> {
  const keys = [starts, returns, superseded, reports]
  return (await redis.eval(reportScript, keys.length, ...keys, id, String(start), message)) === 1
}

const readScript = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return {} end
return redis.call('XRANGE', KEYS[2], ARGV[2], '+', 'COUNT', ARGV[3])`

/** The next reports with their names. None when another coordinator has the mark: then they are for that one. */
export async function readEntries(
  redis: Redis,
  { coordinator, reports }: RunKeys,
  { mark, after, most }: { mark: string; after: string; most: number },
): Promise<[entry: string, text: string][]> {
  const from = after === '' ? '-' : `(${after}`
  const entries = (await redis.eval(readScript, 2, coordinator, reports, mark, from, String(most))) as [
    string,
    string[],
  ][]
  return entries.map(([entry, [, text = '']]) => [entry, text])
}

const markScript = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`

/** False if somebody else has it. */
export async function renewMark(redis: Redis, key: string, mark: string, keptMs: number): Promise<boolean> {
  return (await redis.eval(markScript, 1, key, mark, String(keptMs))) === 1
}

/** Counts a start that ended without results although its worker goes on, or leaves in good order. */
export async function returnJob(redis: Redis, { returns }: RunKeys, id: string): Promise<void> {
  await redis.hincrby(returns, id, 1)
}

/** Nobody asks for a job any more whose results are written. */
export async function forgetJobs(
  redis: Redis,
  { starts, returns }: RunKeys,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0)
    await redis
      .pipeline()
      .hdel(starts, ...ids)
      .hdel(returns, ...ids)
      .exec()
}

const permitScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local next = tonumber(redis.call('GET', KEYS[2]) or '0')
if next > now then return next - now end
local most, gap, hold = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
if most > 0 and redis.call('ZCARD', KEYS[1]) >= most then return -1 end
redis.call('ZADD', KEYS[1], now + hold, ARGV[1])
redis.call('PEXPIRE', KEYS[1], hold)
if gap > 0 then redis.call('SET', KEYS[2], now + gap, 'PX', math.max(1, math.ceil(gap))) end
return 0`

export interface PermitRequest {
  /** Names the permit. */
  token: string
  /** At most so many at once; 0 for any number. */
  concurrency: number
  /** The time between two starts. */
  gapMs: number
  /** A permit that nobody renews is free again after this time. */
  holdMs: number
}

/** 0 if it was given, else how long to wait; -1 until another one is given back. */
export async function takePermit(
  redis: Redis,
  [inUse, next]: [string, string],
  { token, concurrency, gapMs, holdMs }: PermitRequest,
): Promise<number> {
  const asked = [token, String(concurrency), String(gapMs), String(holdMs)]
  return (await redis.eval(permitScript, 2, inUse, next, ...asked)) as number
}

const renewScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], 'XX', now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])`

export async function renewPermit(
  redis: Redis,
  inUse: string,
  { token, holdMs }: Pick<PermitRequest, 'token' | 'holdMs'>,
): Promise<void> {
  await redis.eval(renewScript, 1, inUse, token, String(holdMs))
}
