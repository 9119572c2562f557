import type { Usage } from '../results/usage.ts'
import { pluralize } from '../text/counted.ts'
import { formatDollars } from '../text/dollars.ts'

/** `3 calls, 1,234 tokens, $0.02`, and how much of that was recorded: `(recorded: 2 calls, 1,000 tokens, $0.01)`. */
export function usageText(usage: Usage): string {
  const { calls, inputTokens, outputTokens, cost, unpricedCalls, replayedCalls = 0 } = usage
  const isTold = inputTokens !== undefined || outputTokens !== undefined
  const tokens = isTold ? (inputTokens ?? 0) + (outputTokens ?? 0) : undefined
  const price = unpricedCalls === undefined ? formatDollars(cost ?? 0) : 'cost unknown'
  const all = [...amounts(calls, tokens), price].join(', ')
  return replayedCalls === 0 ? all : `${all} (${recordedText(usage)})`
}

/** `recorded: 2 calls, 1,000 tokens, $0.01`: what was not spent again. */
function recordedText({ replayedCalls = 0, replayedTokens, replayedCost }: Usage): string {
  const cost = replayedCost === undefined ? [] : [formatDollars(replayedCost)]
  return `recorded: ${[...amounts(replayedCalls, replayedTokens), ...cost].join(', ')}`
}

function amounts(calls: number, tokens: number | undefined): string[] {
  const told = tokens === undefined ? [] : [`${tokens.toLocaleString('en-US')} tokens`]
  return [pluralize(calls, 'call'), ...told]
}
