import { expect, it } from 'vitest'
import { formatDollars } from './dollars.ts'

it.each([
  [0, '$0'],
  [12, '$12.00'],
  [0.127, '$0.13'],
  [0.02, '$0.020'],
  [0.00042, '$0.00042'],
  [1e-12, '$0.0000000000'],
])('%d is %s', (amount, text) => {
  expect(formatDollars(amount)).toBe(text)
})
