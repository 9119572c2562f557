import type { Paired } from './exact-test.ts'
import type { Trials } from './pass-k.ts'
import { type Interval, wilson } from './wilson.ts'

/** The mean pass rate of cases, with its 95 % interval; undefined where there is none. */
export function meanRate(cases: readonly Trials[]): (Interval & { rate: number }) | undefined {
  if (cases.length === 0) return undefined
  let sum = 0
  let below = 0
  let above = 0
  for (const { runs, passed } of cases) {
    const { low, high } = wilson(passed, runs)
    sum += passed / runs
    below += (passed / runs - low) ** 2
    above += (high - passed / runs) ** 2
  }
  const rate = sum / cases.length
  return {
    rate,
    low: Math.max(0, rate - Math.sqrt(below) / cases.length),
    high: Math.min(1, rate + Math.sqrt(above) / cases.length),
  }
}

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
