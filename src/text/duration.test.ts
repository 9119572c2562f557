import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { durationRangeProblem, parseDuration, shortDuration, shortTime } from './duration.ts'

describe('a duration', () => {
  it.each([
    ['30s', 30_000],
    ['1m30s', 90_000],
    ['250ms', 250],
    ['1.5h', 5_400_000],
    ['.5s', 500],
    ['500us', 0.5],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })

  it.each(['', '30', '0s', '-5s', '+5s', '5 s', '5S', '5d', 's', '1m 30s', '1e3s', '1000h', 'Infinitys'])(
    '%j is not a duration',
    (text) => {
      expect(parseDuration(text)).toBeUndefined()
    },
  )

  it.each([
    ['0s', 'must be longer than 0'],
    ['1000000h', 'must be at most 596h (24 days)'],
    ['596h', undefined],
    ['soon', undefined],
  ])('%s is out of range: %s', (text, problem) => {
    expect(durationRangeProblem(text)).toBe(problem)
  })

  it('is printed in its short form', () => {
    expect([300_000, 30_000, 90_000, 250, 3_661_500, 400].map(shortDuration)).toEqual([
      '5m',
      '30s',
      '1m30s',
      '250ms',
      '1h1m1.5s',
      '400ms',
    ])
  })

  it('is read back from its short form', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), (ms) => parseDuration(shortDuration(ms)) === ms),
    )
  })

  it('is shown to people in a rounded form', () => {
    expect([4.2, 999, 1234, 59_940, 90_400].map(shortTime)).toEqual([
      '4ms',
      '999ms',
      '1.2s',
      '59.9s',
      '1m30s',
    ])
  })
})
