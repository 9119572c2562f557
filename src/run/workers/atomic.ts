import { randomUUID } from 'node:crypto'
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

/** A job before it is started. */
export interface AskedJob {
  id: string
  /** How many workers had ended while they played it, before its run was interrupted and continued. */
  lostBefore?: number
}

/** `locker`: whoever holds the lock of the job at its start, as BullMQ calls it. `worker`: the id under which it reports. */
export function startToken(locker: string, worker: string): string {
  return `${locker}/${worker}/${randomUUID()}`
}

/** Starts a job once, however often the command is sent: its answer may have been lost with the connection. */
const startScript = `
if redis.call('EXISTS', KEYS[3]) == 1 then return {0, 0} end
local last = redis.call('HGET', KEYS[1], ARGV[1]) or (ARGV[3] .. ':')
if last == 'done' then return {0, 0} end
local colon = string.find(last, ':', 1, true)
local start = tonumber(string.sub(last, 1, colon - 1))
if string.sub(last, colon + 1) ~= ARGV[2] then
  start = start + 1
  redis.call('HSET', KEYS[1], ARGV[1], start .. ':' .. ARGV[2])
end
return {start, tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or '0')}`

/** Counts the start of a job. `lost`: how many workers ended while they played it. Undefined if nobody waits for it. */
export async function startJob(
  redis: Redis,
  { starts, returns, ended }: RunKeys,
  { id, token, lostBefore = 0 }: AskedJob & Pick<StartedJob, 'token'>,
): Promise<{ started: StartedJob; lost: number } | undefined> {
  const keys = [starts, returns, ended]
  const asked = [id, token, String(lostBefore)]
  const [start, returned] = (await redis.eval(startScript, keys.length, ...keys, ...asked)) as [
    number,
    number,
  ]
  return start === 0 ? undefined : { started: { id, start, token }, lost: start - 1 - returned }
}

/** How many workers ended while they played a job, before it is started once more. */
export async function countLost(
  redis: Redis,
  { starts, returns }: RunKeys,
  { id, lostBefore = 0 }: AskedJob,
): Promise<number> {
  const [last, returned] = await Promise.all([redis.hget(starts, id), redis.hget(returns, id)])
  return last === 'done' ? 0 : Number((last ?? String(lostBefore)).split(':')[0]) - Number(returned ?? 0)
}

const startedScript = `
local found = {}
local starts = redis.call('HGETALL', KEYS[1])
for place = 1, #starts, 2 do
  local id = starts[place]
  local start, locker, worker = string.match(starts[place + 1], '^(%d+):([^/]*)/?([^/]*)')
  if start and redis.call('EXISTS', ARGV[1] .. id) == 1 then
    local lock = redis.call('GET', ARGV[1] .. id .. ':lock')
    local lost = start - (redis.call('HGET', KEYS[2], id) or 0)
    local holder = ''
    if lock and string.match(lock, '^[^:]*') == locker then
      lost = lost - 1
      holder = worker
    end
    found[#found + 1] = {id, lost, lock and 1 or 0, holder}
  end
end
return found`

/** A job that was started, and has no results yet. */
export interface UnfinishedJob {
  id: string
  /** How many workers ended while they played it. */
  lost: number
  /** Whether a worker has it now. */
  isHeld: boolean
  /** The worker that plays it, unless it has ended since. */
  holder?: string
}

/** The jobs of a run that were started. `jobs` begins the names of the jobs of BullMQ. */
export async function findUnfinished(
  redis: Redis,
  { starts, returns }: RunKeys,
  jobs: string,
): Promise<UnfinishedJob[]> {
  const found = (await redis.eval(startedScript, 2, starts, returns, jobs)) as [
    string,
    number,
    number,
    string,
  ][]
  return found.map(([id, lost, held, holder]) => ({
    id,
    lost,
    isHeld: held === 1,
    ...(holder !== '' && { holder }),
  }))
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

const returnScript = `
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then redis.call('HINCRBY', KEYS[2], ARGV[1], 1) end`

/** Counts a start that ended without results although its worker goes on, or leaves in good order. */
export async function returnJob(redis: Redis, { starts, returns }: RunKeys, id: string): Promise<void> {
  await redis.eval(returnScript, 2, starts, returns, id)
}

const forgetScript = `
local left = {}
for place = 2, #ARGV do
  if redis.call('EXISTS', ARGV[1] .. ARGV[place]) == 1 then
    redis.call('HSET', KEYS[1], ARGV[place], 'done')
    left[#left + 1] = ARGV[place]
  else
    redis.call('HDEL', KEYS[1], ARGV[place])
    redis.call('HDEL', KEYS[2], ARGV[place])
  end
end
return left`

/**
 * Forgets jobs whose results are written. A job that is still in the queue, because its worker could not take it out, is
 * marked so that nobody plays it again. Returns the ids of these. `jobs` begins the names of the jobs of BullMQ.
 */
export async function forgetJobs(
  redis: Redis,
  { starts, returns }: RunKeys,
  jobs: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  return (await redis.eval(forgetScript, 2, starts, returns, jobs, ...ids)) as string[]
}

const withdrawScript = `
local asked, removed = {}, {}
for place = 2, #ARGV do asked[ARGV[place]] = true end
for _, list in ipairs(KEYS) do
  local kept, before = {}, #removed
  for _, id in ipairs(redis.call('LRANGE', list, 0, -1)) do
    if asked[id] then
      redis.call('DEL', ARGV[1] .. id)
      removed[#removed + 1] = id
    else kept[#kept + 1] = id end
  end
  if #removed > before then
    redis.call('DEL', list)
    for _, id in ipairs(kept) do redis.call('RPUSH', list, id) end
  end
end
return removed`

/** Takes jobs out of the queue that no worker plays. Returns their ids. `jobs` begins the names of what BullMQ keeps. */
export async function withdrawJobs(redis: Redis, jobs: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  return (await redis.eval(withdrawScript, 2, `${jobs}wait`, `${jobs}paused`, jobs, ...ids)) as string[]
}
