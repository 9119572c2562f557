import { type Choice, collectOffers, failureKind, type Offer } from './choices.ts'
import { countStabilities, type Durations, summarizeDurations, tally } from './figures.ts'
import type { Group } from './group-rows.ts'
import { countOutcomes, type Status } from './outcomes.ts'
import { judgeRun, type Verdict } from './page-title.ts'
import { computePassRate, type PassRate, type VariantRate, variantRates } from './pass-rates.ts'
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
    verdict: judgeRun(data),
    counts: countOutcomes(rows),
    total: rows.filter(({ retrying }) => !retrying).length,
    rate: computePassRate(rows),
    variants: variants.length > 1 ? variantRates(rows, variants) : [],
    kinds: tally(rows.flatMap(failureKind)),
    stabilities: countStabilities(rows, groups),
    durations: summarizeDurations(rows),
    offers: collectOffers(rows),
  }
}
