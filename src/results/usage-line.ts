import { defined } from '../defined.ts'
import type { TokenUsage } from '../transcript/reply.ts'
import type { TokensLine, UsageLines } from './line-schema.ts'
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
  const entries = Object.entries(usage).map(([role, { calls, retries, unpricedCalls, ...tokens }]) => [
    role,
    { calls, retries, ...tokensToLine(tokens), ...defined({ unpriced_calls: unpricedCalls }) },
  ])
  return Object.fromEntries(entries)
}

export function usageFromLine(usage: UsageLines = {}): UsageByRole {
  const entries = Object.entries(usage).map(([role, { calls, retries, unpriced_calls, ...tokens }]) => [
    role,
    { calls, retries, ...tokensFromLine(tokens), ...defined({ unpricedCalls: unpriced_calls }) },
  ])
  return Object.fromEntries(entries)
}
