import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPlainScope } from '../scope/plain-scope.ts'
import { Limiter } from './limiter.ts'
import { ServerQuota } from './server-quota.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-01-01T00:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

/** How long the next call must wait, after an answer with these headers. */
function waitMs(headers: Record<string, string>, running = 0): number {
  const quota = new ServerQuota()
  quota.update(headers)
  return Math.max(0, quota.notBefore(running) - performance.now())
}

describe('the quota of a server', () => {
  it.each([
    ['1s', 1000],
    ['20ms', 20],
    ['7.66s', 7660],
    ['12', 12_000],
    ['6m0s', 60_000],
  ])('is exhausted until a reset in %s, but for at most a minute', (reset, expected) => {
    const headers = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': reset }
    expect(waitMs(headers)).toBe(expected)
    expect(waitMs({ ...headers, 'x-ratelimit-remaining-requests': '1' })).toBe(0)
  })

  it("is read from Anthropic's headers too", () => {
    const headers = {
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': '2026-01-01T00:00:30Z',
    }
    expect(waitMs(headers)).toBe(30_000)
    expect(waitMs({ ...headers, 'anthropic-ratelimit-requests-reset': '2025-12-31T23:59:00Z' })).toBe(0)
  })

  it('counts running calls as not yet counted by the server', () => {
    const headers = { 'x-ratelimit-remaining-requests': '3', 'x-ratelimit-reset-requests': '5s' }
    expect([2, 3].map((running) => waitMs(headers, running))).toEqual([0, 5000])
  })

  it('is unknown without a reset time, or with a value that is no number', () => {
    expect(waitMs({ 'x-ratelimit-remaining-requests': '0' })).toBe(0)
    expect(waitMs({ 'x-ratelimit-remaining-requests': '-', 'x-ratelimit-reset-requests': '1s' })).toBe(0)
    expect(waitMs({ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': 'soon' })).toBe(0)
  })

  it('of tokens is exhausted when they do not suffice for an average call', () => {
    const quota = new ServerQuota()
    quota.addUsage({ inputTokens: 900, outputTokens: 300 })
    quota.addUsage({ inputTokens: 700, outputTokens: 100 })
    quota.update({ 'x-ratelimit-remaining-tokens': '2500', 'x-ratelimit-reset-tokens': '10s' })
    expect(quota.notBefore(1)).toBe(0)
    expect(quota.notBefore(2) - performance.now()).toBe(10_000)
  })

  it('lets no more calls of a limiter begin than remain before the reset', async () => {
    const limiter = new Limiter()
    limiter.quota.update({ 'x-ratelimit-remaining-requests': '3', 'x-ratelimit-reset-requests': '30s' })
    let left = 3
    const began: number[] = []
    const zero = performance.now()
    for (let index = 0; index < 5; index++)
      void limiter.run(createPlainScope(), async () => {
        began.push(performance.now() - zero)
        await new Promise((resolve) => setTimeout(resolve, 1000))
        left = Math.max(0, left - 1)
        limiter.quota.update({
          'x-ratelimit-remaining-requests': String(left),
          'x-ratelimit-reset-requests': '29s',
        })
      })
    await vi.advanceTimersByTimeAsync(120_000)
    expect(began).toEqual([0, 0, 0, 30_000, 30_000])
  })
})
