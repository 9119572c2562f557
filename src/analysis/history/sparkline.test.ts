import { describe, expect, it } from 'vitest'
import { sparkline } from './sparkline.ts'

describe('sparkline', () => {
  it('has one bar per value, from zero to the largest', () => {
    expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7])).toBe('▁▂▃▄▅▆▇█')
  })

  it('uses the lowest and the highest bar only for exact values', () => {
    expect(sparkline([0, 0.1, 99.9, 100], 100)).toBe('▁▂▇█')
  })

  it('has a dot for an unknown value', () => {
    expect(sparkline([undefined, 3, undefined])).toBe('·█·')
    expect(sparkline([undefined])).toBe('·')
  })

  it('has the lowest bars when all values are zero, and is empty without values', () => {
    expect(sparkline([0, 0])).toBe('▁▁')
    expect(sparkline([])).toBe('')
  })
})
