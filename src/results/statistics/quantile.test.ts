import { expect, it } from 'vitest'
import { findQuantile } from './quantile.ts'

it('the quantile is one of the values', () => {
  const values = Array.from({ length: 100 }, (_, index) => index + 1)
  expect([0.5, 0.95, 0.99, 1].map((share) => findQuantile(values, share))).toEqual([50, 95, 99, 100])
  expect(findQuantile([7], 0.01)).toBe(7)
  expect(findQuantile([], 0.5)).toBeUndefined()
})
