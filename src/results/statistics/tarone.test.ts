import { expect, it } from 'vitest'
import { adjustByTarone } from './tarone.ts'

it('corrects p for the number of tests that could be significant', () => {
  expect(
    adjustByTarone(
      [
        { p: 0.01, least: 0.001 },
        { p: 0.2, least: 0.001 },
      ],
      0.05,
    ),
  ).toEqual([0.02, 0.4])
})

it('does not count tests that could never be significant', () => {
  const idle = Array.from({ length: 100 }, () => ({ p: 0.5, least: 0.5 }))
  expect(adjustByTarone([{ p: 0.004, least: 0.004 }, ...idle], 0.025)).toEqual([0.004, ...idle.map(() => 1)])
})

it('counts only tests that could be significant after the correction', () => {
  // Ten tests with a least p of 0.01: four would count at 0.05/4, but none of them reaches 0.05/5
  const ten = Array.from({ length: 10 }, () => ({ p: 0.01, least: 0.01 }))
  expect(adjustByTarone(ten, 0.05)).toEqual(ten.map(() => 1))
  expect(adjustByTarone([], 0.05)).toEqual([])
})
