import { expect, it } from 'vitest'
import { rateDifference } from './rate-difference.ts'

it('has Newcombe’s interval for one case', () => {
  // Newcombe, Statistics in Medicine 17 (1998), 873–890, method 10: 56/70 − 48/80
  const found = rateDifference([{ base: { runs: 80, passed: 48 }, head: { runs: 70, passed: 56 } }])
  expect([found?.difference, found?.low, found?.high].map((each) => Number(each?.toFixed(4)))).toEqual([
    0.2, 0.0524, 0.3339,
  ])
})

it('is the mean over cases, with a narrower interval the more there are', () => {
  const one = { base: { runs: 5, passed: 5 }, head: { runs: 5, passed: 3 } }
  const width = (count: number) => {
    const found = rateDifference(Array.from({ length: count }, () => one))
    expect(found?.difference).toBeCloseTo(-0.4, 12)
    return (found?.high ?? 0) - (found?.low ?? 0)
  }
  expect(width(25)).toBeLessThan(width(1) / 3)
  expect(rateDifference([])).toBeUndefined()
})
