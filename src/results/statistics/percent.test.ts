import { expect, it } from 'vitest'
import { toPercent } from './percent.ts'

it.each([
  [1, 3, 33.3],
  [2, 3, 66.7],
  [0, 5, 0],
  [5, 5, 100],
  [2499, 2500, 99.9],
  [1, 5000, 0.1],
])('%i of %i is %f percent', (part, whole, percent) => {
  expect(toPercent(part, whole)).toBe(percent)
})
