import { totalCost, totalTokens, type UsageByRole } from '../results/usage.ts'
import { formatDollars } from '../text/dollars.ts'

/** `$0.12`; where the cost is not known, `1,234 tokens`; undefined where nothing was spent or reported. */
export function spentText(usage: UsageByRole): string | undefined {
  const cost = totalCost(usage)
  if (cost !== undefined && cost > 0) return formatDollars(cost)
  const tokens = totalTokens(usage)
  return tokens === undefined || tokens === 0 ? undefined : `${tokens.toLocaleString('en-US')} tokens`
}
