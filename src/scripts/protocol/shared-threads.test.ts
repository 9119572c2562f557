import { expect, it } from 'vitest'
import { sharedThreads } from './shared-threads.ts'

it.each([
  [1, 8, 1],
  [16, 8, 1],
  [17, 8, 2],
  [64, 8, 4],
  [1000, 8, 4],
  [64, 2, 2],
  [64, 1, 1],
])('%i calls on %i cores share %i threads', (calls, cores, threads) => {
  expect(sharedThreads(calls, cores)).toBe(threads)
})
