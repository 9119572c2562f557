import { describe, expect, it } from 'vitest'
import { costText, spentCost } from './cost-text.ts'

const call = { calls: 1, retries: 0 }
const recorded = { ...call, cost: 0.1, replayedCalls: 1, replayedCost: 0.1 }

describe('the cost of a run', () => {
  it('is the sum of all roles', () => {
    expect(costText({ agent: { ...call, cost: 0.1 }, judge: { ...call, cost: 0.02 } })).toBe('$0.12')
  })

  it('says how much of it was recorded', () => {
    const usage = { agent: recorded, judge: { ...call, cost: 0.02 } }
    expect(costText(usage)).toBe('$0.12, of which $0.10 was recorded')
    expect(spentCost(usage)).toBeCloseTo(0.02)
  })

  it('says that all of it was recorded, whatever the rounding error', () => {
    const usage = { agent: { ...recorded, cost: 0.1 + 0.2, replayedCost: 0.3 } }
    expect(costText(usage)).toBe('$0.30, all of it recorded')
    expect(spentCost(usage)).toBe(0)
  })

  it('is unknown if part of it is', () => {
    const usage = { agent: recorded, judge: { ...call, unpricedCalls: 1 } }
    expect(costText(usage)).toBe('unknown, of which $0.10 was recorded')
    expect(spentCost(usage)).toBeUndefined()
  })
})
