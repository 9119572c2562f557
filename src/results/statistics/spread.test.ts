import { describe, expect, it } from 'vitest'
import { computeSpread, modalShare } from './spread.ts'

describe('the spread of values', () => {
  it('has the population standard deviation', () => {
    expect(computeSpread([2, 4, 4, 4, 5, 5, 7, 9])).toEqual({ average: 5, least: 2, most: 9, deviation: 2 })
    expect(computeSpread([3])).toEqual({ average: 3, least: 3, most: 3, deviation: 0 })
  })
})

describe('the modal share', () => {
  it('is the share of the most frequent value', () => {
    expect(modalShare(Array(10).fill('no'))).toBe(1)
    expect(modalShare(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'])).toBe(0.1)
    expect(modalShare(['a', 'b', 'a'])).toBeCloseTo(0.667, 3)
  })
})
