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

/** A second later. */
function look(watch: WorkerWatch, workers: WorkerStatus[], now: number): void {
  watch.update({ workers, now }, nobody)
  vi.advanceTimersByTime(1000)
}

describe('a run without workers', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())

  it('is given up after the time, unless workers are loading the project', () => {
    const watch = new WorkerWatch('r')
    for (let second = 0; second <= 26; second += 1) look(watch, [], 1000 * second)
    expect(watch.isMissing(25_000)).toBe(true)
    look(watch, [worker('a', 27_000)], 27_000)
    expect(watch.isMissing(25_000)).toBe(false)
    for (let second = 28; second <= 90; second += 1) look(watch, [worker('a', 1000 * second)], 1000 * second)
    expect(watch.isMissing(25_000)).toBe(true)
  })

  it('is not given up for the time in which Redis was gone', () => {
    const watch = new WorkerWatch('r')
    look(watch, [worker('a', 0, 'r')], 0)
    vi.advanceTimersByTime(60_000)
    expect(watch.isMissing(25_000)).toBe(false)
    look(watch, [], 61_000)
    expect(watch.isMissing(25_000)).toBe(false)
    for (let second = 62; second <= 90; second += 1) look(watch, [], 1000 * second)
    expect(watch.isMissing(25_000)).toBe(true)
  })

  it('waits for workers that were loading the project when Redis was gone', () => {
    const watch = new WorkerWatch('r')
    const loading = (seenAt: number) => ['a', 'b', 'c'].map((id) => worker(id, seenAt))
    look(watch, loading(0), 0)
    vi.advanceTimersByTime(12_000)
    look(watch, loading(0), 13_000)
    for (let second = 14; second <= 45; second += 1) look(watch, loading(1000 * second), 1000 * second)
    expect(watch.isMissing(25_000)).toBe(false)
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

  it('knows which runs keep workers busy while nobody plays it', () => {
    const watch = new WorkerWatch('r')
    look(watch, [worker('a', 0, 'earlier'), worker('b', 0, 'earlier'), worker('c', 0)], 0)
    expect([...watch.busyElsewhere]).toEqual([['earlier', 2]])
    look(watch, [worker('a', 1000, 'earlier'), worker('c', 1000, 'r')], 1000)
    expect([...watch.busyElsewhere]).toEqual([])
  })
})
