import type { Usage } from '../results/usage.ts'
import { pluralize } from '../text/counted.ts'
import { formatDollars } from '../text/dollars.ts'

/** `3 calls, 1,234 tokens, $0.02` */
export function usageText({ calls, inputTokens, outputTokens, cost, unpricedCalls }: Usage): string {
  const isTold = inputTokens !== undefined || outputTokens !== undefined
  const tokens = ((inputTokens ?? 0) + (outputTokens ?? 0)).toLocaleString('en-US')
  const price = unpricedCalls === undefined ? formatDollars(cost ?? 0) : 'cost unknown'
  return [pluralize(calls, 'call'), ...(isTold ? [`${tokens} tokens`] : []), price].join(', ')
}
