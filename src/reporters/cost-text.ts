import { totalCost, totalReplayed, type UsageByRole } from '../results/usage.ts'
import { formatDollars } from '../text/dollars.ts'

/** Amounts are sums of fractions: less than this is a rounding error. */
const nothing = 1e-9

/** `$0.12`, or `$0.12, of which $0.10 was recorded`, which was not spent again; `unknown` if part of the cost is. */
export function costText(usage: UsageByRole): string {
  return recordedCostText(totalCost(usage), totalReplayed(usage).cost)
}

export function recordedCostText(cost: number | undefined, recorded = 0): string {
  const text = cost === undefined ? 'unknown' : formatDollars(cost)
  if (recorded < nothing) return text
  if (cost !== undefined && cost - recorded < nothing) return `${text}, all of it recorded`
  return `${text}, of which ${formatDollars(recorded)} was recorded`
}

/** What was spent on top of what is recorded; undefined if part of the cost is unknown. */
export function spentCost(usage: UsageByRole): number | undefined {
  const cost = totalCost(usage)
  if (cost === undefined) return undefined
  const spent = cost - totalReplayed(usage).cost
  return spent < nothing ? 0 : spent
}
