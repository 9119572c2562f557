import { defined } from '../json/defined.ts'
import type { TokensLine, UsageLines } from './line-schema.ts'
import type { TokenUsage } from './transcript/reply.ts'
import type { UsageByRole } from './usage.ts'

export function tokensToLine(usage: TokenUsage): TokensLine {
  return defined({
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cached_tokens: usage.cachedTokens,
    cost: usage.cost,
  })
}

export function tokensFromLine(tokens: TokensLine): TokenUsage {
  return defined({
    inputTokens: tokens.input_tokens,
    outputTokens: tokens.output_tokens,
    cachedTokens: tokens.cached_tokens,
    cost: tokens.cost,
  })
}

export function usageToLine(usage: UsageByRole): UsageLines {
  const entries = Object.entries(usage).map(([role, usage]) => {
    const { calls, retries, unpricedCalls, answers, repaired, ...tokens } = usage
    const counts = defined({ unpriced_calls: unpricedCalls, answers, repaired })
    return [role, { calls, retries, ...tokensToLine(tokens), ...counts }]
  })
  return Object.fromEntries(entries)
}

export function usageFromLine(usage: UsageLines = {}): UsageByRole {
  const entries = Object.entries(usage).map(([role, line]) => {
    const { calls, retries, unpriced_calls: unpricedCalls, answers, repaired, ...tokens } = line
    return [
      role,
      { calls, retries, ...tokensFromLine(tokens), ...defined({ unpricedCalls, answers, repaired }) },
    ]
  })
  return Object.fromEntries(entries)
}
