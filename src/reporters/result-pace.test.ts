import { describe, expect, it } from 'vitest'
import { paceText, ResultPace, timeLeftText } from './result-pace.ts'

function pace(times: readonly number[]): ResultPace {
  const made = new ResultPace(0)
  for (const time of times) made.add(time)
  return made
}

const every = (ms: number, count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => from + (index + 1) * ms)

describe('the rate of a run', () => {
  it('is not known before enough results are there', () => {
    expect(pace(every(500, 4)).perSecond(2_000, 1)).toBeUndefined()
    expect(pace(every(500, 5)).perSecond(2_500, 1)).toBe(2)
    expect(pace(every(10, 5)).perSecond(50, 1)).toBeUndefined()
  })

  it('is not known before as many results are there as cases run at once', () => {
    const first = every(10, 20, 900)
    expect(pace(first.slice(0, 19)).perSecond(1_100, 20)).toBeUndefined()
    expect(pace(first).perSecond(1_100, 20)).toBeCloseTo(18.2, 1)
  })

  it('is that of the last results, and falls while none comes', () => {
    const made = pace([...every(1_000, 60), ...every(100, 100, 60_000)])
    expect(made.perSecond(70_000, 1)).toBeCloseTo(10)
    expect(made.perSecond(90_000, 1)).toBeCloseTo(2)
  })

  it('does not keep all times of a long run', () => {
    expect(pace(every(10, 100_000)).perSecond(1_000_000, 1)).toBeCloseTo(100)
  })

  it.each([
    [123.4, '123/s'],
    [1.52, '1.5/s'],
    [0.5, '30/min'],
    [0.02, '1.2/min'],
  ])('%s per second is shown as %s', (perSecond, text) => expect(paceText(perSecond)).toBe(text))
})

describe('the time that is left', () => {
  it.each([
    [1, 10, 'about 1s left'],
    [82, 10, 'about 9s left'],
    [421, 10, 'about 45s left'],
    [1_000, 10, 'about 2m left'],
    [100_000, 10, 'about 2h50m left'],
  ])('%d at %d per second is %s', (left, perSecond, text) => expect(timeLeftText(left, perSecond)).toBe(text))

  it('is an upper limit where not all may have to run', () => {
    expect(timeLeftText(100, 10, true)).toBe('at most 10s left')
  })
})
