import { classifyStability, stabilityText } from '../src/results/stability-class.ts'
import { toPercent } from '../src/results/statistics/percent.ts'
import { countTrials, type Group, type Trials } from './group-rows.ts'
import type { PageRow } from './report-data.ts'

/** The value below which that share lies (nearest rank); undefined without values. */
export function percentile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
}

const bars = 24

export interface Bin {
  from: number
  to: number
  count: number
}

/** Counts in steps that grow by the same factor, so that a few slow values do not squeeze the others into one bar. */
export function histogram(values: readonly number[], most: number): Bin[] {
  if (values.length === 0) return []
  let low = Number.POSITIVE_INFINITY
  let high = 1
  for (const value of values) {
    low = Math.min(low, Math.max(1, value))
    high = Math.max(high, value)
  }
  const factor = (high / low) ** (1 / most)
  if (factor <= 1.0001) return [{ from: low, to: high, count: values.length }]
  const bins = Array.from({ length: most }, (_, index) => ({
    from: low * factor ** index,
    to: low * factor ** (index + 1),
    count: 0,
  }))
  for (const value of values) {
    const bin = bins[Math.min(most - 1, Math.floor(Math.log(Math.max(1, value) / low) / Math.log(factor)))]
    if (bin) bin.count += 1
  }
  return bins
}

export interface Durations {
  half: number
  most: number
  slowest: number
  bins: Bin[]
}

/** The durations of results that finished. */
export function summarizeDurations(rows: readonly PageRow[]): Durations | undefined {
  const sorted = rows
    .filter(({ outcome, retrying }) => !retrying && outcome !== 'skipped' && outcome !== 'unfinished')
    .map(({ durationMs }) => durationMs)
    .sort((left, right) => left - right)
  const [half, most, slowest] = [percentile(sorted, 0.5), percentile(sorted, 0.95), sorted.at(-1)]
  if (half === undefined || most === undefined || slowest === undefined) return undefined
  return { half, most, slowest, bins: histogram(sorted, bars) }
}

export const stabilities = [
  'stable',
  'mostly stable',
  'unstable',
  'highly unstable',
  'fails every time',
] as const

export function describeStability({ passed, rate }: Trials): string {
  return stabilityText({ passed, stability: classifyStability(rate) })
}

/** The number of cases of each stability, for cases with several live runs. */
export function countStabilities(rows: readonly PageRow[], groups: readonly Group[]): Map<string, number> {
  const counts = new Map<string, number>(stabilities.map((stability) => [stability, 0]))
  for (const group of groups) {
    const trials = group.runs.length > 1 ? countTrials(rows, group) : undefined
    if (trials === undefined || group.head.origin !== undefined) continue
    const stability = describeStability(trials)
    counts.set(stability, (counts.get(stability) ?? 0) + 1)
  }
  return counts
}

/** The number of occurrences of each value, the most frequent first. */
export function tally(values: Iterable<string>): [string, number][] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([, left], [, right]) => right - left)
}

/** `99.7%` */
export function percentText(part: number, whole: number): string {
  return whole === 0 ? '–' : `${toPercent(part, whole)}%`
}
