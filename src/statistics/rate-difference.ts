import type { Paired } from './exact-test.ts'
import { type Interval, wilson } from './wilson.ts'

/**
 * By how much the mean pass rate of the cases changed, with its 95 % interval: the limits of Wilson's intervals of each
 * rate, put together as independent ones are (MOVER). It is about these cases, whatever others there may be.
 */
export function rateDifference(pairs: readonly Paired[]): Interval & { difference: number } {
  let difference = 0
  let below = 0
  let above = 0
  for (const { base, head } of pairs) {
    const before = base.passed / base.runs
    const after = head.passed / head.runs
    const around = { before: wilson(base.passed, base.runs), after: wilson(head.passed, head.runs) }
    difference += after - before
    below += (after - around.after.low) ** 2 + (around.before.high - before) ** 2
    above += (around.after.high - after) ** 2 + (before - around.before.low) ** 2
  }
  const count = pairs.length
  const mean = difference / count
  return {
    difference: mean,
    low: Math.max(-1, mean - Math.sqrt(below) / count),
    high: Math.min(1, mean + Math.sqrt(above) / count),
  }
}
