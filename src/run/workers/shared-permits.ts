import { randomUUID } from 'node:crypto'
import type { Limits } from '../../models/limiter.ts'
import type { SharedPermits } from '../../models/shared-permits.ts'
import { pause } from '../../scope/deadline.ts'
import type { AbortState } from '../../scope/stop.ts'
import type { RunKeys } from './keys.ts'
import { renewPermit, takePermit } from './permits.ts'
import type { QueueConnection } from './redis.ts'

/** The permit of a worker that has gone is free after this time. */
const holdMs = 30_000
const renewMs = 10_000
/** How often it is tried to get a permit that others hold. */
const askAgainMs = 50
const longestWaitMs = 1000

/** Permits for calls to a connector that all workers of a run share. */
export function createSharedPermits(
  { redis, persist }: Pick<QueueConnection, 'redis' | 'persist'>,
  keys: RunKeys,
): SharedPermits & { close(): void } {
  const held = new Map<string, string>()
  const renewing = setInterval(() => {
    for (const [token, inUse] of held) void renewPermit(redis, inUse, { token, holdMs }).catch(() => {})
  }, renewMs)
  renewing.unref()
  return {
    async take(connector: string, { concurrency = 0, requestsPerMinute }: Limits, stop: AbortState) {
      const token = randomUUID()
      const names = keys.permits(connector)
      const gapMs = requestsPerMinute === undefined ? 0 : 60_000 / requestsPerMinute
      const asked = { token, concurrency, gapMs, holdMs }
      for (;;) {
        const waitMs = await persist(() => takePermit(redis, names, asked), stop)
        if (waitMs === 0) break
        await pause(waitMs < 0 ? askAgainMs : Math.min(waitMs, longestWaitMs), stop)
        stop.throwIfAborted()
      }
      const [inUse] = names
      held.set(token, inUse)
      return () => {
        held.delete(token)
        void redis.zrem(inUse, token).catch(() => {})
      }
    },
    close: () => clearInterval(renewing),
  }
}
