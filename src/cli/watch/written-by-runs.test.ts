import { describe, expect, it } from 'vitest'
import { WrittenByRuns } from './written-by-runs.ts'

/** Plays runs of 10 ms; a change in each, at this time after its start. */
function play(afterMs: readonly (number | undefined)[], isRead = false) {
  const warned: string[] = []
  const written = new WrittenByRuns((path) => void warned.push(path))
  const counts = afterMs.map((after, index) => {
    const start = index * 100
    written.started(start)
    written.ended(start + 10)
    if (after === undefined) return undefined
    return written.sift([{ path: '/orders.json', at: start + after }], () => isRead).length === 1
  })
  return { counts, warned }
}

describe('files that change while cases run', () => {
  it('do not count, with a warning, when they have changed during three runs in a row', () => {
    expect(play([5, 5, 5, 5, 50])).toEqual({
      counts: [true, true, false, false, true],
      warned: ['/orders.json'],
    })
  })

  it('count while they change between runs', () => {
    expect(play([50, 50, 50, 50])).toEqual({ counts: [true, true, true, true], warned: [] })
  })

  it('count when a run in between left them alone', () => {
    expect(play([5, 5, undefined, 5, 5]).warned).toEqual([])
  })

  it('count for longer if the run reads them, but not for ever', () => {
    expect(play([5, 5, 5, 5], true)).toEqual({ counts: [true, true, true, true], warned: [] })
    expect(play(Array(12).fill(5), true)).toEqual({
      counts: [...Array(9).fill(true), false, false, false],
      warned: ['/orders.json'],
    })
  })

  it('change several times during one run', () => {
    const warned: string[] = []
    const written = new WrittenByRuns((path) => void warned.push(path))
    written.started(0)
    for (let at = 0; at < 10; at++) written.sift([{ path: '/a', at }], () => false)
    expect(warned).toEqual([])
  })
})
