import type { Trials } from './pass-k.ts'
import { type Interval, wilson } from './wilson.ts'

export interface MeanRate extends Interval {
  rate: number
}

/**
 * The mean pass rate of cases, with its 95 % interval; undefined where there is none. The interval is Wilson's for as many
 * runs as the mean is worth (fewer than were played, where some cases have few). It holds whatever the rates of the single
 * cases are, and is wider than need be where they differ much.
 */
export function meanRate(cases: readonly Trials[]): MeanRate | undefined {
  const count = cases.length
  if (count === 0) return undefined
  const rate = cases.reduce((sum, { runs, passed }) => sum + passed / runs, 0) / count
  const worth = count ** 2 / cases.reduce((sum, { runs }) => sum + 1 / runs, 0)
  const isWhole = cases.every(({ runs, passed }) => passed === runs)
  const isNothing = cases.every(({ passed }) => passed === 0)
  return { rate, ...wilson(isWhole ? worth : isNothing ? 0 : rate * worth, worth) }
}
