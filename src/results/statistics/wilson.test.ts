import { expect, it } from 'vitest'
import { wilsonInterval } from './wilson.ts'

/** Newcombe, Statistics in Medicine 17 (1998), table I, method 3. */
it.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('the interval of %i in %i is the published one', (hits, count, low, high) => {
  const found = wilsonInterval(hits, count)
  expect([found.low, found.high].map((each) => Number(each.toFixed(4)))).toEqual([low, high])
})

it('the interval ends at 1 only if all are hits', () => {
  expect(wilsonInterval(20, 20)).toMatchObject({ high: 1, low: expect.closeTo(0.8389, 4) })
  expect(wilsonInterval(19, 20).high).toBeLessThan(1)
})
