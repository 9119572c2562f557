import type { Paired } from './exact-test.ts'
import { meanRate } from './mean-rate.ts'
import type { Interval } from './wilson.ts'

/**
 * The change of the mean pass rate of the cases, with its 95 % interval: the limits of both means, combined as for
 * independent means (Newcombe). It is valid for these cases and does not generalise to others.
 */
export function rateDifference(pairs: readonly Paired[]): (Interval & { difference: number }) | undefined {
  const before = meanRate(pairs.map(({ base }) => base))
  const after = meanRate(pairs.map(({ head }) => head))
  if (before === undefined || after === undefined) return undefined
  const difference = after.rate - before.rate
  return {
    difference,
    low: Math.max(-1, difference - Math.hypot(after.rate - after.low, before.high - before.rate)),
    high: Math.min(1, difference + Math.hypot(after.high - after.rate, before.rate - before.low)),
  }
}
