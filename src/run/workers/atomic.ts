import type { Redis } from 'ioredis'
import type { RunKeys } from './keys.ts'

/** A start of a job by one worker. Only the last one may report results. */
export interface StartedJob {
  id: string
  /** From 1. */
  start: number
  /** Of this start alone: after a loss of data, Redis may count from 1 again. */
  token: string
}

/** Starts a job once, however often the command is sent: its answer may have been lost with the connection. */
const startScript = `
if redis.call('EXISTS', KEYS[3]) == 1 then return {0, 0} end
local last = redis.call('HGET', KEYS[1], ARGV[1]) or '0:'
local colon = string.find(last, ':', 1, true)
local start = tonumber(string.sub(last, 1, colon - 1))
if string.sub(last, colon + 1) ~= ARGV[2] then
  start = start + 1
  redis.call('HSET', KEYS[1], ARGV[1], start .. ':' .. ARGV[2])
end
return {start, tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or '0')}`

/** Counts the start of a job. `lost`: how many workers ended while they played it. Undefined if the run has ended. */
export async function startJob(
  redis: Redis,
  { starts, returns, ended }: RunKeys,
  { id, token }: Pick<StartedJob, 'id' | 'token'>,
): Promise<{ started: StartedJob; lost: number } | undefined> {
  const keys = [starts, returns, ended]
  const [start, returned] = (await redis.eval(startScript, keys.length, ...keys, id, token)) as [
    number,
    number,
  ]
  return start === 0 ? undefined : { started: { id, start, token }, lost: start - 1 - returned }
}

/** How many workers ended while they played a job, before it is started once more. */
export async function countLost(redis: Redis, { starts, returns }: RunKeys, id: string): Promise<number> {
  const [last, returned] = await Promise.all([redis.hget(starts, id), redis.hget(returns, id)])
  return Number((last ?? '0').split(':')[0]) - Number(returned ?? 0)
}

/** Those of some jobs that another worker has started since, or that nobody asks for any more. */
export async function findSuperseded(
  redis: Redis,
  { starts }: RunKeys,
  jobs: readonly StartedJob[],
): Promise<StartedJob[]> {
  if (jobs.length === 0) return []
  const last = await redis.hmget(starts, ...jobs.map(({ id }) => id))
  return jobs.filter((job, place) => last[place] !== fenceOf(job))
}

function fenceOf({ start, token }: StartedJob): string {
  return `${start}:${token}`
}

const reportScript = `
local last = redis.call('HGET', KEYS[1], ARGV[1])
if last == ARGV[2] then
  redis.call('XADD', KEYS[4], '*', 'report', ARGV[3])
  return 1
end
if redis.call('EXISTS', KEYS[5]) == 1 then return 0 end
if last then redis.call('HINCRBY', KEYS[2], ARGV[1], 1) end
redis.call('INCR', KEYS[3])
return 0`

/** Reports the results of a start. They do not count when another worker has taken over. */
export async function reportResults(
  redis: Redis,
  { starts, returns, superseded, reports, ended }: RunKeys,
  started: StartedJob,
  message: string,
): Promise<void> {
  const keys = [starts, returns, superseded, reports, ended]
  await redis.eval(reportScript, keys.length, ...keys, started.id, fenceOf(started), message)
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

const returnScript = `
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then redis.call('HINCRBY', KEYS[2], ARGV[1], 1) end`

/** Counts a start that ended without results although its worker goes on, or leaves in good order. */
export async function returnJob(redis: Redis, { starts, returns }: RunKeys, id: string): Promise<void> {
  await redis.eval(returnScript, 2, starts, returns, id)
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
