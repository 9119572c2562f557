import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PulseWatch } from './pulse-watch.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function watchOne() {
  const thread = { beats: 0 }
  const still: number[] = []
  let moving = 0
  const watch = new PulseWatch<typeof thread>(
    (_, stillMs) => still.push(stillMs),
    () => {
      moving += 1
    },
  )
  watch.add(thread)
  return { thread, watch, still, moving: () => moving }
}

it('says for how long a thread has stood still, and when it goes on', () => {
  const { thread, still, moving } = watchOne()
  vi.advanceTimersByTime(150)
  expect(still).toEqual([50, 100, 150])
  thread.beats += 1
  vi.advanceTimersByTime(50)
  expect([moving(), still.length]).toEqual([1, 3])
  vi.advanceTimersByTime(50)
  expect(still.at(-1)).toBe(50)
})

it('does not take a suspended machine for a blocked thread', () => {
  const { still } = watchOne()
  // The clock jumps, but this process was not there to look.
  vi.setSystemTime(Date.now() + 3_600_000)
  vi.advanceTimersByTime(50)
  expect(still).toEqual([50])
})

it('has no timer when it watches nothing', () => {
  const { thread, watch } = watchOne()
  watch.delete(thread)
  expect(vi.getTimerCount()).toBe(0)
})
