import { describe, expect, it } from 'vitest'
import { Spending } from './budget.ts'

describe('Spending', () => {
  it('counts what was spent, and not what was answered from a recording', () => {
    const spending = new Spending({ cost: 1, tokens: 100 })
    const replayed = { replayedCalls: 1, replayedTokens: 90, replayedCost: 0.9 }
    const agent = { calls: 1, retries: 0, inputTokens: 60, outputTokens: 30, cost: 0.9, ...replayed }
    spending.add({ usage: { agent } })
    spending.add({ usage: { agent } })
    expect(spending.over()).toBeUndefined()
    spending.add({ usage: { judge: { calls: 1, retries: 0, inputTokens: 10, outputTokens: 0, cost: 1 } } })
    expect(spending.over()).toBe('--max-cost $1.00 is reached: $1.00 spent')
  })

  it('limits no tokens of calls that were all answered from a recording', () => {
    const spending = new Spending({ tokens: 100 })
    spending.add({ usage: { agent: { calls: 1, retries: 0, replayedCalls: 1 } } })
    expect(spending.over()).toBeUndefined()
    spending.add({ usage: { agent: { calls: 1, retries: 0 } } })
    expect(spending.over()).toBe('--max-tokens: it is unknown how many tokens the agent used')
  })

  it('does not need the price of calls that were answered from a recording', () => {
    const spending = new Spending({ cost: 1 })
    spending.add({ usage: { agent: { calls: 2, retries: 0, unpricedCalls: 2, replayedCalls: 2 } } })
    expect(spending.over()).toBeUndefined()
    spending.add({ usage: { agent: { calls: 1, retries: 0, unpricedCalls: 1 } } })
    expect(spending.over()).toBe('--max-cost: the cost of 1 call is unknown (set `prices` in the config)')
  })
})
