import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { WorkerStatus } from './messages.ts'
import { WorkerWatch } from './worker-watch.ts'

const worker = (id: string, seenAt: number, run?: string): WorkerStatus => ({
  id,
  host: 'h',
  pid: 1,
  version: '0.1.0',
  concurrency: 4,
  ...(run !== undefined && { run }),
  playing: [],
  done: 0,
  seenAt,
})

const nobody = new Set<string>()

describe('a run without workers', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())

  it('is given up after the time, unless workers are loading the project', () => {
    const watch = new WorkerWatch('r')
    watch.update({ workers: [], now: 0 }, nobody)
    vi.advanceTimersByTime(26_000)
    expect(watch.isMissing(25_000)).toBe(true)
    watch.update({ workers: [worker('a', 26_000)], now: 26_000 }, nobody)
    expect(watch.isMissing(25_000)).toBe(false)
    vi.advanceTimersByTime(60_000)
    expect(watch.isMissing(25_000)).toBe(true)
  })

  it('is not kept waiting by workers that are started again and again, and die', () => {
    const watch = new WorkerWatch('r')
    for (let second = 0; second <= 26; second += 1) {
      const now = 1000 * second
      // Each writes one status, which stays for 20 seconds.
      const workers = Array.from({ length: 20 }, (_, age) => worker(`w${second - age}`, now - 1000 * age))
      watch.update({ workers, now }, nobody)
      vi.advanceTimersByTime(1000)
    }
    expect(watch.isMissing(25_000)).toBe(true)
  })

  it('goes on while workers play jobs of an earlier run', () => {
    const watch = new WorkerWatch('r')
    for (let second = 0; second < 100; second += 1) {
      watch.update({ workers: [worker('a', 1000 * second, 'earlier')], now: 1000 * second }, nobody)
      vi.advanceTimersByTime(1000)
    }
    expect(watch.isMissing(25_000)).toBe(false)
  })
})
