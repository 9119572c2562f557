import type { Redis } from 'ioredis'

const permitScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local next = tonumber(redis.call('GET', KEYS[2]) or '0')
if next > now then return math.ceil(next - now) end
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
