import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AwakeClock, type ClockSources } from './awake-clock.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A watched clock that has ticked for a second, in a process that uses a tenth of the CPU. */
function watchedClock(more: Partial<ClockSources> = {}) {
  const at = { time: 5000, cpu: 0, idle: 0 }
  const clock = new AwakeClock({ time: () => at.time, cpu: () => at.cpu, idle: () => at.idle, ...more })
  clock.watch()
  /** Lets time pass without a tick. */
  const pass = (ms: number, { cpu = 0, idle = 0 } = {}) => {
    at.time += ms
    at.cpu += cpu
    at.idle += idle
  }
  const run = (ms: number) => {
    for (let left = ms; left > 0; left -= 100) {
      pass(100, { cpu: 10, idle: 90 })
      vi.advanceTimersByTime(100)
    }
  }
  run(1000)
  const begun = clock.now()
  return { clock, pass, run, passed: () => clock.now() - begun }
}

describe('a watched clock', () => {
  it('leaves out a suspension, whether a reading or a tick comes first afterwards', () => {
    const { pass, run, passed } = watchedClock()
    pass(10_000, { cpu: 5, idle: 10_000 })
    expect(passed()).toBe(100)
    run(300)
    expect(passed()).toBe(400)
    pass(3000)
    vi.advanceTimersByTime(100)
    expect(passed()).toBe(500)
  })

  it('leaves out each of several suspensions, and never runs backwards', () => {
    const { clock, pass } = watchedClock()
    let last = clock.now()
    for (const ms of [50, 900, 4000, 90, 1000, 1001, 60_000, 10]) {
      pass(ms)
      expect(clock.now()).toBeGreaterThanOrEqual(last)
      last = clock.now()
    }
  })

  it('counts the time in which the event loop was blocked', () => {
    const { pass, passed } = watchedClock()
    pass(10_000, { cpu: 9900 })
    expect(passed()).toBe(10_000)
    // Other processes leave it a tenth of the CPU.
    pass(10_000, { cpu: 1000 })
    expect(passed()).toBe(20_000)
  })

  it('counts delays of up to a second, as on a busy machine', () => {
    const { pass, passed } = watchedClock()
    for (let i = 0; i < 5; i++) {
      pass(1000)
      vi.advanceTimersByTime(100)
    }
    expect(passed()).toBe(5000)
  })

  it('counts time in which user code waited without using the CPU, where user code may run', () => {
    const { clock, pass, passed } = watchedClock()
    clock.expectUserCode()
    pass(5000, { idle: 20 })
    expect(passed()).toBe(5000)
    pass(5000, { idle: 5000 })
    expect(passed()).toBe(5100)
  })

  it('asks another thread, where there is one, whether the process was awake', () => {
    let beats = 0
    const { clock, pass, passed } = watchedClock({ beats: () => beats })
    clock.expectUserCode()
    // It was stopped while it computed.
    pass(5000, { idle: 0 })
    expect(passed()).toBe(100)
    beats += 100
    pass(5000, { idle: 5000 })
    expect(passed()).toBe(5100)
  })

  it('holds no timer once nobody watches it', () => {
    const { clock } = watchedClock()
    clock.watch()
    clock.unwatch()
    expect(vi.getTimerCount()).toBe(1)
    clock.unwatch()
    expect(vi.getTimerCount()).toBe(0)
  })
})
