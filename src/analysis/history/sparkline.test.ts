import { describe, expect, it } from 'vitest'
import { sparkline } from './sparkline.ts'

describe('sparkline', () => {
  it('has a bar a value, from nothing to the largest', () => {
    expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7])).toBe('▁▂▃▄▅▆▇█')
  })

  it('shows neither all nor nothing for what is only nearly so', () => {
    expect(sparkline([0, 0.1, 99.9, 100], 100)).toBe('▁▂▇█')
  })

  it('has a dot where nothing is known', () => {
    expect(sparkline([undefined, 3, undefined])).toBe('·█·')
    expect(sparkline([undefined])).toBe('·')
  })

  it('is low where all values are nothing, and empty without values', () => {
    expect(sparkline([0, 0])).toBe('▁▁')
    expect(sparkline([])).toBe('')
  })
})
