import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { InfrastructureError, InterruptedError } from '../errors.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import { Limiter } from './limiter.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const tooMany = (retryAfterMs: number) =>
  new InfrastructureError('rate_limit', '429', { retryable: true, retryAfterMs })

/** Makes calls that record when they begin. */
function calling(limiter: Limiter) {
  const began: number[] = []
  const zero = performance.now()
  const call = (takesMs: number, end: () => void = () => {}, signal?: AbortSignal) =>
    limiter.run(createPlainScope(signal ? { signal } : {}), async () => {
      began.push(performance.now() - zero)
      await later(takesMs)
      end()
    })
  return { began, call }
}

describe('a limiter', () => {
  it('without limits lets every call begin at once', async () => {
    const { began, call } = calling(new Limiter())
    for (let index = 0; index < 5; index++) void call(1000)
    expect(began).toEqual([0, 0, 0, 0, 0])
  })

  it('spaces calls by the rate, first come, first served', async () => {
    const { began, call } = calling(new Limiter({ requestsPerMinute: 60 }))
    for (let index = 0; index < 4; index++) void call(10)
    await vi.advanceTimersByTimeAsync(10_000)
    void call(10)
    expect(began).toEqual([0, 1000, 2000, 3000, 10_000])
  })

  it('starts the next call when one of the running calls has ended, even with an error', async () => {
    const { began, call } = calling(new Limiter({ concurrency: 2 }))
    const fail = () => {
      throw new Error('no')
    }
    const failing = call(100, fail).catch(() => {})
    void call(300)
    void call(50)
    void call(50)
    await vi.advanceTimersByTimeAsync(1000)
    await failing
    expect(began).toEqual([0, 0, 100, 150])
  })

  it('delays all calls when one was told to come back later', async () => {
    const { began, call } = calling(new Limiter())
    void call(100, () => {
      throw tooMany(5000)
    }).catch(() => {})
    await vi.advanceTimersByTimeAsync(200)
    void call(10)
    void call(10)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(began).toEqual([0, 5100, 5100])
  })

  it('delays no call for longer than a minute: the others hear of it themselves', async () => {
    const { began, call } = calling(new Limiter())
    const failing = call(100, () => {
      throw tooMany(3_600_000)
    })
    void failing.catch(() => {})
    await vi.advanceTimersByTimeAsync(200)
    void call(10)
    expect(began).toEqual([0, 200])
  })

  it('gives the place of a caller who leaves the queue to the next, and keeps no timer when nobody waits', async () => {
    const stop = new AbortController()
    const { began, call } = calling(new Limiter({ concurrency: 1, requestsPerMinute: 60 }))
    void call(10)
    const leaving = call(10, undefined, stop.signal)
    void call(10)
    stop.abort(new InterruptedError('stop'))
    await expect(leaving).rejects.toBeInstanceOf(InterruptedError)
    await vi.advanceTimersByTimeAsync(5000)
    expect(began).toEqual([0, 1000])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('never exceeds its limits, loses no call and leaves nobody waiting', async () => {
    const anyCall = fc.record({
      afterMs: fc.nat({ max: 400 }),
      takesMs: fc.nat({ max: 900 }),
      fails: fc.boolean(),
      leavesAfterMs: fc.option(fc.nat({ max: 900 }), { nil: undefined }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.constantFrom(undefined, 240, 600),
        fc.array(anyCall, { maxLength: 12 }),
        async (concurrency, requestsPerMinute, calls) => {
          const limiter = new Limiter({ concurrency, ...(requestsPerMinute ? { requestsPerMinute } : {}) })
          const began: number[] = []
          let running = 0
          let ended = 0
          for (const { afterMs, takesMs, fails, leavesAfterMs } of calls) {
            await vi.advanceTimersByTimeAsync(afterMs)
            const stop = new AbortController()
            if (leavesAfterMs !== undefined) setTimeout(() => stop.abort(new Error('left')), leavesAfterMs)
            limiter
              .run(createPlainScope({ signal: stop.signal }), async () => {
                began.push(performance.now())
                running += 1
                expect(running).toBeLessThanOrEqual(concurrency)
                await later(takesMs)
                running -= 1
                if (fails) throw new Error('no')
              })
              .catch((error: Error) => expect(error.message).toMatch(/^(no|left)$/))
              .finally(() => {
                ended += 1
              })
          }
          await vi.advanceTimersByTimeAsync(60_000)
          expect(ended).toBe(calls.length)
          for (const [index, at] of began.slice(1).entries())
            expect(at - (began[index] ?? 0)).toBeGreaterThanOrEqual(
              requestsPerMinute ? 60_000 / requestsPerMinute : 0,
            )
        },
      ),
      { numRuns: 60 },
    )
  })
})
