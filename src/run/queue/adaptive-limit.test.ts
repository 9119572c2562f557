import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { InfrastructureError } from '../../errors.ts'
import { watchCall } from '../../scope/pace.ts'
import { AdaptiveLimit, maxAutoParallel } from './adaptive-limit.ts'
import { listQueue, runQueue } from './run-queue.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Answers the nth call, or throws. */
type Server = (index: number) => Promise<void>

/** Works on as many calls at once as its capacity; the others wait. */
function queueingServer(capacity: number, workMs: (index: number) => number): Server {
  const waiting: (() => void)[] = []
  let working = 0
  return async (index) => {
    if (working >= capacity) await new Promise<void>((resolve) => waiting.push(resolve))
    else working += 1
    await later(workMs(index))
    const next = waiting.shift()
    if (next === undefined) working -= 1
    else next()
  }
}

async function refuse(): Promise<never> {
  await later(5)
  throw new InfrastructureError('rate_limit', 'too many requests', { status: 429, retryable: true })
}

/** Refuses calls above its capacity, which may depend on the call. */
function refusingServer(capacity: number | ((index: number) => number), workMs: number): Server {
  let working = 0
  return async (index) => {
    if (working >= (typeof capacity === 'number' ? capacity : capacity(index))) await refuse()
    working += 1
    await later(workMs)
    working -= 1
  }
}

/** Refuses calls that come too fast. */
function rateLimitedServer(callsPerSecond: number, workMs: number): Server {
  let left = callsPerSecond
  let countedAt = performance.now()
  return async () => {
    const now = performance.now()
    left = Math.min(callsPerSecond, left + ((now - countedAt) / 1000) * callsPerSecond)
    countedAt = now
    if (left < 1) await refuse()
    left -= 1
    await later(workMs)
  }
}

/** What a simulated run came to. */
interface Simulated {
  /** The limit at the end of every case. */
  limits: number[]
  refusals: number
  /** Calls that were refused with all their retries. */
  lost: number
  peak: number
  durationMs: number
}

/** Plays cases of one call each, which is repeated up to three times. */
async function simulate(cases: number, server: Server, limit = new AdaptiveLimit()): Promise<Simulated> {
  const { pace, peak } = limit.adaptive
  const simulated: Simulated = { limits: [], refusals: 0, lost: 0, peak: 0, durationMs: 0 }
  const call = async (index: number, retries: number): Promise<void> => {
    try {
      await watchCall(pace, { role: 'agent', clock: () => performance.now() }, () => server(index))
    } catch {
      simulated.refusals += 1
      if (retries === 3) {
        simulated.lost += 1
        return
      }
      await pace.wait(400 * 2 ** retries, new AbortController().signal)
      await call(index, retries + 1)
    }
  }
  const items = Array.from({ length: cases }, (_, index) => index)
  let isPlaying = true
  const played = runQueue(listQueue(items), limit, new AbortController(), async (index) => {
    await call(index, 0)
    simulated.limits.push(limit.limit)
  }).finally(() => {
    isPlaying = false
  })
  const started = performance.now()
  while (isPlaying) await vi.advanceTimersByTimeAsync(100)
  await played
  return { ...simulated, peak: peak(), durationMs: performance.now() - started }
}

const secondHalf = (limits: readonly number[]) => limits.slice(limits.length / 2)
const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Times as they are usual for models: half of them between 0.5 s and 2 s. The same in every run. */
function variedTimes(): () => number {
  let state = 1
  const random = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  return () => 1000 * Math.exp(Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random()))
}

describe('a server that works on a limited number of calls at once', () => {
  it.each([3, 8, 20, 100])('is kept busy, but not flooded, when it can do %i', async (capacity) => {
    const { limits, refusals, durationMs } = await simulate(
      2000,
      queueingServer(capacity, () => 100),
    )
    const settled = secondHalf(limits)
    expect(Math.min(...settled)).toBeGreaterThanOrEqual(capacity)
    expect(Math.max(...settled)).toBeLessThanOrEqual(2 * capacity)
    expect(durationMs).toBeLessThan((2000 / capacity) * 100 * 1.4)
    expect(refusals).toBe(0)
  })

  it.each([8, 20])(
    'is recognized although its answers take different times, when it can do %i',
    async (capacity) => {
      const { limits } = await simulate(3000, queueingServer(capacity, variedTimes()))
      const settled = secondHalf(limits)
      expect(average(settled)).toBeGreaterThan(0.8 * capacity)
      expect(average(settled)).toBeLessThan(2 * capacity)
      expect(Math.min(...settled)).toBeGreaterThan(capacity / 3)
    },
  )

  it('is used up to the upper bound when it can do more', async () => {
    const { limits, peak } = await simulate(1500, queueingServer(10_000, variedTimes()))
    expect(limits[0]).toBeLessThanOrEqual(8)
    expect(peak).toBe(maxAutoParallel)
    expect(
      (
        await simulate(
          500,
          queueingServer(10_000, () => 100),
          new AdaptiveLimit(16),
        )
      ).peak,
    ).toBe(16)
  })

  it('is not blamed for cases that take longer by themselves', async () => {
    const { limits } = await simulate(
      2000,
      queueingServer(10_000, (index) => (index < 500 ? 100 : 1500)),
    )
    expect(Math.min(...limits.slice(500))).toBeGreaterThanOrEqual(32)
    expect(limits.at(-1)).toBeGreaterThan(100)
  })
})

describe('a server that refuses calls', () => {
  it.each([
    [1, 50],
    [3, 5000],
    [8, 50],
    [8, 5000],
    [20, 50],
    [100, 5000],
  ])(
    'above %i at once, which take %i ms, refuses few of them and none for good',
    async (capacity, workMs) => {
      const { limits, refusals, lost } = await simulate(2000, refusingServer(capacity, workMs))
      const settled = secondHalf(limits)
      expect(lost).toBe(0)
      expect(refusals).toBeLessThan(2000 * 0.06)
      expect(Math.max(...settled)).toBeLessThanOrEqual(1.1 * capacity + 1)
      expect(average(settled)).toBeGreaterThan(0.7 * capacity)
      expect(Math.min(...settled)).toBeGreaterThanOrEqual(Math.floor(0.6 * capacity))
    },
  )

  it('for a while gets as many calls as before when it has recovered', async () => {
    const capacity = (index: number) => (index > 500 && index < 510 ? 0 : 30)
    const { limits, lost } = await simulate(2000, refusingServer(capacity, 100))
    expect(lost).toBe(9)
    expect(Math.min(...limits.slice(500, 700))).toBeLessThan(15)
    expect(average(limits.slice(1000))).toBeGreaterThan(20)
  })

  it('by their rate loses no case', async () => {
    const { lost, durationMs } = await simulate(1000, rateLimitedServer(20, 100))
    expect(lost).toBe(0)
    expect(durationMs).toBeLessThan(1000 * 100)
  })

  it('is not asked again by a case that is stopped', async () => {
    const limit = new AdaptiveLimit(1)
    const stop = new AbortController()
    limit.hasRoom(2)
    const waiting = limit.adaptive.pace.wait(10, stop.signal)
    await vi.advanceTimersByTimeAsync(1000)
    stop.abort()
    await expect(waiting).resolves.toBeUndefined()
  })
})
