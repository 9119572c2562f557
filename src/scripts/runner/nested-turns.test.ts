import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createNestedTurns } from './nested-turns.ts'

const stillMs = 100
const { signal } = new AbortController()

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Asks for a turn for each depth, and lists the depths of the calls in the order in which they began. */
async function start(atOnce: number, ...depths: number[]) {
  const turns = createNestedTurns({ atOnce, stillMs })
  const begun: number[] = []
  const ends: (() => void)[] = []
  const take = (depth: number) =>
    turns.take(depth, signal).then((end) => {
      begun.push(depth)
      ends.push(end)
    })
  for (const depth of depths) void take(depth)
  await vi.advanceTimersByTimeAsync(0)
  return { turns, begun, ends, take }
}

describe('turns of nested calls', () => {
  it('calls begin at once as long as few run', async () => {
    const { begun } = await start(3, 1, 2, 1)
    expect(begun).toEqual([1, 2, 1])
  })

  it('a call that waits begins when another one ends, the deepest first', async () => {
    const { begun, ends } = await start(1, 1, 2, 4, 3)
    expect(begun).toEqual([1])
    for (const index of [0, 1, 2]) {
      ends[index]?.()
      await vi.advanceTimersByTimeAsync(0)
    }
    expect(begun).toEqual([1, 4, 3, 2])
  })

  it('calls that are equally deep begin in the order in which they came', async () => {
    const turns = createNestedTurns({ atOnce: 1, stillMs })
    const end = await turns.take(1, signal)
    const order: string[] = []
    void turns.take(2, signal).then((endFirst) => {
      order.push('first')
      endFirst()
    })
    void turns.take(2, signal).then(() => order.push('second'))
    end()
    await vi.advanceTimersByTimeAsync(0)
    expect(order).toEqual(['first', 'second'])
  })

  it('all calls begin in time though none of those that run ends', async () => {
    const { begun, take } = await start(1, 1, 2, 2)
    await vi.advanceTimersByTimeAsync(stillMs)
    expect(begun).toEqual([1, 2])
    // Called by the one that has just begun.
    void take(3)
    await vi.advanceTimersByTimeAsync(stillMs)
    expect(begun).toEqual([1, 2, 3])
    await vi.advanceTimersByTimeAsync(stillMs)
    expect(begun).toEqual([1, 2, 3, 2])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('no call begins because of the time as long as others end', async () => {
    const { begun, ends } = await start(2, 1, 1, 1, 2, 2)
    await vi.advanceTimersByTimeAsync(stillMs)
    expect(begun).toEqual([1, 1, 2])
    await vi.advanceTimersByTimeAsync(stillMs - 1)
    ends[0]?.()
    await vi.advanceTimersByTimeAsync(stillMs - 1)
    expect(begun).toEqual([1, 1, 2])
    await vi.advanceTimersByTimeAsync(1)
    expect(begun).toEqual([1, 1, 2, 2])
  })

  it('a call that is aborted while it waits is rejected with the reason, and takes no turn', async () => {
    const { turns, begun, ends, take } = await start(1, 1)
    const aborting = new AbortController()
    const aborted = turns.take(5, aborting.signal)
    void take(2)
    aborting.abort(new Error('stopped'))
    await expect(aborted).rejects.toThrow('stopped')
    await expect(turns.take(5, aborting.signal)).rejects.toThrow('stopped')
    ends[0]?.()
    await vi.advanceTimersByTimeAsync(0)
    expect(begun).toEqual([1, 2])
  })

  it('closing rejects all calls that wait, and leaves no timer', async () => {
    const { turns } = await start(1, 1)
    const waiting = turns.take(2, signal)
    turns.close(new Error('closed'))
    await expect(waiting).rejects.toThrow('closed')
    expect(vi.getTimerCount()).toBe(0)
  })
})
