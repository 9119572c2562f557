import { describe, expect, it } from 'vitest'
import { usageText } from './usage-text.ts'

const usage = { calls: 3, retries: 0, inputTokens: 1000, outputTokens: 234, cost: 0.2 }

describe('the usage of one role', () => {
  it('is calls, tokens and cost', () => {
    expect(usageText(usage)).toBe('3 calls, 1,234 tokens, $0.20')
    expect(usageText({ calls: 1, retries: 0, unpricedCalls: 1 })).toBe('1 call, cost unknown')
  })

  it('says how much of it was recorded', () => {
    expect(usageText({ ...usage, replayedCalls: 2, replayedTokens: 1000, replayedCost: 0.1 })).toBe(
      '3 calls, 1,234 tokens, $0.20 (recorded: 2 calls, 1,000 tokens, $0.10)',
    )
    expect(usageText({ ...usage, replayedCalls: 1 })).toBe('3 calls, 1,234 tokens, $0.20 (recorded: 1 call)')
  })
})
