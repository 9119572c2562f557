import type { Usage } from '../results/usage.ts'
import { counted } from '../text/counted.ts'
import { dollars } from '../text/dollars.ts'

/** `3 calls, 1,234 tokens, $0.02` */
export function usageText({ calls, inputTokens, outputTokens, cost, unpricedCalls }: Usage): string {
  const isTold = inputTokens !== undefined || outputTokens !== undefined
  const tokens = ((inputTokens ?? 0) + (outputTokens ?? 0)).toLocaleString('en-US')
  const price = unpricedCalls === undefined ? dollars(cost ?? 0) : 'cost unknown'
  return [counted(calls, 'call'), ...(isTold ? [`${tokens} tokens`] : []), price].join(', ')
}
