import { performance as unfaked } from 'node:perf_hooks'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { InterruptedError, TimeoutError } from '../errors.ts'
import { awakeClock } from './awake-clock.ts'
import { startDeadline } from './deadline.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const never = new AbortController().signal

describe('a deadline that stands still', () => {
  it('moves on by the time it stood still, and then fires', () => {
    const deadline = startDeadline(1000, never)
    const at = deadline.at
    vi.advanceTimersByTime(400)
    const goOn = deadline.standStill()
    vi.advanceTimersByTime(5000)
    expect(deadline.stop.aborted).toBe(false)
    expect(deadline.at).toBe(at + 5000)
    goOn()
    goOn()
    vi.advanceTimersByTime(599)
    expect(deadline.stop.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect(deadline.stop.reason).toEqual(new TimeoutError('timeout after 1s'))
    expect(deadline.stoodStillMs).toBe(5000)
    deadline.release()
  })

  it('stops the deadlines around it, but not those inside it', () => {
    const outer = startDeadline(1000, never)
    const inner = startDeadline(500, outer.stop, { outer })
    const goOn = inner.standStill()
    vi.advanceTimersByTime(3000)
    expect([outer, inner].map(({ stop }) => stop.aborted)).toEqual([false, false])
    expect(outer.stoodStillMs).toBe(3000)
    goOn()
    outer.standStill()
    vi.advanceTimersByTime(500)
    expect([outer, inner].map(({ stop }) => stop.aborted)).toEqual([false, true])
    for (const deadline of [inner, outer]) deadline.release()
  })

  it('takes back time that was lost, also while it stands still', () => {
    const outer = startDeadline(1000, never)
    const inner = startDeadline(500, outer.stop, { outer })
    vi.advanceTimersByTime(400)
    inner.refund(300)
    vi.advanceTimersByTime(399)
    expect(inner.stop.aborted).toBe(false)
    const goOn = inner.standStill()
    inner.refund(100)
    goOn()
    vi.advanceTimersByTime(100)
    expect(inner.stop.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect([outer.stop.aborted, inner.stop.aborted]).toEqual([false, true])
    expect(outer.stoodStillMs).toBe(400)
    for (const deadline of [inner, outer]) deadline.release()
  })

  it('still follows its parent', () => {
    const run = new AbortController()
    const deadline = startDeadline(1000, run.signal)
    deadline.standStill()
    const stopped = new InterruptedError('stop')
    run.abort(stopped)
    expect(deadline.stop.reason).toBe(stopped)
    deadline.release()
  })

  it('holds no timer once it is released', () => {
    const deadline = startDeadline(1000, never)
    const goOn = deadline.standStill()
    deadline.release()
    goOn()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('counts only the time in which nothing held it, however the holds overlap', () => {
    const step = fc.record({ change: fc.constantFrom('stop', 'go on', 'none'), ms: fc.nat({ max: 50 }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const outer = startDeadline(200, never)
        const inner = startDeadline(100, outer.stop, { outer })
        const standing: (() => void)[] = []
        let [ran, stood] = [0, 0]
        for (const { change, ms } of steps) {
          if (change === 'stop') standing.push(inner.standStill())
          if (change === 'go on') standing.shift()?.()
          vi.advanceTimersByTime(ms)
          if (standing.length > 0) stood += ms
          else ran += ms
          expect(inner.stop.aborted).toBe(ran >= 100)
          expect(outer.stop.aborted).toBe(ran >= 200)
          expect([inner.stoodStillMs, outer.stoodStillMs]).toEqual([stood, stood])
        }
        for (const deadline of [inner, outer]) deadline.release()
      }),
    )
  })
})

describe('a deadline in a process that was suspended', () => {
  let time = 0

  /** Lets time pass; no timer fires before the end. */
  function passWithoutTicks(ms: number): void {
    time += ms
    vi.advanceTimersByTime(ms)
  }

  beforeEach(() => {
    time = 0
    vi.useRealTimers()
    // The ticks of the clock are not faked: after a suspension, a deadline may fire before them.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    vi.spyOn(performance, 'now').mockImplementation(() => time)
    vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 })
    // Tests of other files in this process may have told the clock that user code runs here.
    vi.spyOn(unfaked, 'eventLoopUtilization').mockImplementation(() => ({
      idle: time,
      active: 0,
      utilization: 0,
    }))
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('fires later by each suspension', () => {
    awakeClock.expectUserCode()
    const deadline = startDeadline(2000, never)
    for (const suspendedMs of [10_000, 60_000]) {
      passWithoutTicks(suspendedMs)
      expect(deadline.stop.aborted).toBe(false)
    }
    passWithoutTicks(900)
    expect(deadline.stop.aborted).toBe(false)
    for (let i = 0; i < 3; i++) passWithoutTicks(900)
    expect(deadline.stop.reason).toEqual(new TimeoutError('timeout after 2s'))
    deadline.release()
  })

  it('fires in time when the process was only busy', () => {
    vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: time * 900, system: time * 100 }))
    const deadline = startDeadline(2000, never)
    passWithoutTicks(10_000)
    expect(deadline.stop.aborted).toBe(true)
    deadline.release()
  })
})
