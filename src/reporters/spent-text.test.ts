import { describe, expect, it } from 'vitest'
import { spentText } from './spent-text.ts'

const usage = { calls: 1, retries: 0, inputTokens: 1000, outputTokens: 234 }

describe('what was spent', () => {
  it('is money where all of it is known', () => {
    expect(spentText({ agent: { ...usage, cost: 0.1 }, judge: { ...usage, cost: 0.02 } })).toBe('$0.12')
  })

  it('is tokens where the cost of a call is unknown', () => {
    expect(spentText({ agent: { ...usage, cost: 0.1 }, judge: { ...usage, unpricedCalls: 1 } })).toBe(
      '2,468 tokens',
    )
  })

  it('is tokens where they cost nothing', () => {
    expect(spentText({ agent: { ...usage, cost: 0 } })).toBe('1,234 tokens')
  })

  it('leaves out what was recorded', () => {
    const recorded = { ...usage, cost: 0.1, replayedCalls: 1, replayedTokens: 1234, replayedCost: 0.1 }
    expect(spentText({ agent: recorded, judge: { ...usage, cost: 0.02 } })).toBe('$0.020')
    expect(spentText({ agent: recorded, judge: { ...usage, unpricedCalls: 1 } })).toBe('1,234 tokens')
    expect(spentText({ agent: recorded })).toBeUndefined()
  })

  it('is not said where nothing is known', () => {
    expect(spentText({})).toBeUndefined()
    expect(spentText({ agent: { calls: 3, retries: 0 } })).toBeUndefined()
  })
})
