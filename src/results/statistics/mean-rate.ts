import type { Trials } from './pass-k.ts'
import { type Interval, wilsonInterval } from './wilson.ts'

export interface MeanRate extends Interval {
  rate: number
}

/**
 * The mean pass rate of cases, with its 95 % interval; undefined without cases. The interval is Wilson's for the effective
 * number of runs, which is smaller than the total if some cases have few runs. It is valid whatever the rates of the
 * single cases are, and wider than necessary if they differ a lot.
 */
export function meanRate(cases: readonly Trials[]): MeanRate | undefined {
  const count = cases.length
  if (count === 0) return undefined
  const rate = cases.reduce((sum, { runs, passed }) => sum + passed / runs, 0) / count
  const effectiveRuns = count ** 2 / cases.reduce((sum, { runs }) => sum + 1 / runs, 0)
  const isWhole = cases.every(({ runs, passed }) => passed === runs)
  const isNothing = cases.every(({ passed }) => passed === 0)
  return {
    rate,
    ...wilsonInterval(isWhole ? effectiveRuns : isNothing ? 0 : rate * effectiveRuns, effectiveRuns),
  }
}
