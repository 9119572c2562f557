import { describe, expect, it } from 'vitest'
import { addUsage, totalCost, type Usage } from './usage.ts'

const spent = (cost: number): Usage => ({ calls: 1, retries: 0, cost })
const costs = [0.1, 0.2, 0.3, 0.000_000_07, 1e-12, 12.34, 0.7]
const sum = (parts: readonly number[]) =>
  parts.map(spent).reduce<Usage | undefined>((total, part) => addUsage(total, part), undefined)

describe('a sum of costs', () => {
  it('is the same in any order, so that the journals of a replay are the same at any --parallel', () => {
    const sums = new Set(
      costs.map((_, index) => sum([...costs.slice(index), ...costs.slice(0, index)])?.cost),
    )
    expect([...sums]).toEqual([13.640000070001])
  })

  it('is the same whatever the roles', () => {
    expect(totalCost({ agent: spent(0.1), judge: spent(0.2), tool: spent(0.3) })).toBe(0.6)
    expect(totalCost({ agent: spent(0.3), judge: spent(0.2), tool: spent(0.1) })).toBe(0.6)
  })
})
