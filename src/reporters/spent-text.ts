import { totalReplayed, totalTokens, type UsageByRole } from '../results/usage.ts'
import { formatDollars } from '../text/dollars.ts'
import { spentCost } from './cost-text.ts'

/**
 * `$0.12`; where the cost is not known, `1,234 tokens`; undefined where nothing was spent or reported. Recorded calls
 * spend nothing.
 */
export function spentText(usage: UsageByRole): string | undefined {
  const cost = spentCost(usage)
  if (cost !== undefined && cost > 0) return formatDollars(cost)
  const tokens = (totalTokens(usage) ?? 0) - totalReplayed(usage).tokens
  return tokens <= 0 ? undefined : `${tokens.toLocaleString('en-US')} tokens`
}
