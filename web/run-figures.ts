import { type Choice, failureKind, type Offer, offersOf } from './choices.ts'
import { countStabilities, type Durations, durationsOf, tally } from './figures.ts'
import type { Group } from './group-rows.ts'
import { countsOf, type Status } from './outcomes.ts'
import { type Verdict, verdictOf } from './page-title.ts'
import { type PassRate, passRateOf, type VariantRate, variantRates } from './pass-rates.ts'
import type { ReportData } from './report-data.ts'

/** The figures of the whole run, which never change. */
export interface RunFigures {
  verdict: Verdict
  counts: Record<Status, number>
  /** The number of results that count. */
  total: number
  rate: PassRate
  /** Empty if there is only one variant. */
  variants: VariantRate[]
  kinds: [string, number][]
  stabilities: ReturnType<typeof countStabilities>
  durations: Durations | undefined
  offers: Record<Choice, Offer>
}

export function runFigures(data: ReportData, groups: readonly Group[]): RunFigures {
  const { rows } = data
  const { variants } = data.run.start
  return {
    verdict: verdictOf(data),
    counts: countsOf(rows),
    total: rows.filter(({ retrying }) => !retrying).length,
    rate: passRateOf(rows),
    variants: variants.length > 1 ? variantRates(rows, variants) : [],
    kinds: tally(rows.flatMap(failureKind)),
    stabilities: countStabilities(rows, groups),
    durations: durationsOf(rows),
    offers: offersOf(rows),
  }
}
