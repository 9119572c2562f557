import { describe, expect, it, vi } from 'vitest'
import { Stop } from './stop.ts'

const reason = new Error('enough')

describe('a stop', () => {
  it('calls its listeners once, with its reason set', () => {
    const stop = new Stop()
    const seen: unknown[] = []
    stop.addEventListener('abort', () => seen.push(stop.reason))
    stop.abort(reason)
    stop.abort(new Error('later'))
    expect(seen).toEqual([reason])
    expect(() => stop.throwIfAborted()).toThrow(reason)
  })

  it('does not call a listener that was removed', () => {
    const stop = new Stop()
    const listener = vi.fn()
    stop.addEventListener('abort', listener)
    stop.removeEventListener('abort', listener)
    stop.abort(reason)
    expect(listener).not.toHaveBeenCalled()
  })

  it('calls the other listeners when one throws, and none that was removed meanwhile', async () => {
    const stop = new Stop()
    const thrown = new Promise((resolve) => process.once('uncaughtException', resolve))
    const [removed, last] = [vi.fn(), vi.fn()]
    stop.addEventListener('abort', () => {
      stop.removeEventListener('abort', removed)
      throw reason
    })
    stop.addEventListener('abort', removed)
    stop.addEventListener('abort', last)
    const others = process.listeners('uncaughtException').slice(0, -1)
    for (const other of others) process.off('uncaughtException', other)
    stop.abort(new Error('end'))
    expect(await thrown).toBe(reason)
    for (const other of others) process.on('uncaughtException', other)
    expect([removed.mock.calls.length, last.mock.calls.length]).toEqual([0, 1])
  })

  it('has an AbortSignal in the same state, whenever it is asked for', () => {
    const early = new Stop()
    const { signal } = early
    early.abort(reason)
    expect([signal.aborted, signal.reason, early.signal]).toEqual([true, reason, signal])
    const late = new Stop()
    late.abort(reason)
    expect([late.signal.aborted, late.signal.reason]).toEqual([true, reason])
  })
})

describe('a stop that follows a signal', () => {
  it.each([
    ['an AbortSignal', new AbortController()],
    ['another stop', new Stop()],
  ])('ends with %s, unless it has left', (_, leader) => {
    const signal = leader instanceof Stop ? leader : leader.signal
    const [follower, deserter] = [new Stop(), new Stop()]
    follower.follow(signal)
    deserter.follow(signal)()
    leader.abort(reason)
    expect([follower.reason, deserter.aborted]).toEqual([reason, false])
  })

  it('ends at once when the signal was aborted before', () => {
    expect(Stop.by(AbortSignal.abort(reason)).reason).toBe(reason)
  })

  it('adds one listener to an AbortSignal, however many follow it', () => {
    const { signal } = new AbortController()
    const listen = vi.spyOn(signal, 'addEventListener')
    for (let count = 0; count < 5; count++) Stop.by(signal)
    expect(listen).toHaveBeenCalledTimes(1)
  })
})
