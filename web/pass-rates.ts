import { percentText } from './figures.ts'
import { countOutcomes, type Outcome, outcomes } from './outcomes.ts'
import type { PageRow } from './report-data.ts'

export interface PassRate {
  /** How many of the judged results passed. */
  text: string
  /** Results that are not of a live run have no rate: they are only counted. */
  isCount: boolean
  parts: { name: Outcome; count: number }[]
  whole: number
}

export interface VariantRate extends PassRate {
  variant: string
}

export function computePassRate(rows: readonly PageRow[]): PassRate {
  const counts = countOutcomes(rows)
  const parts = [...outcomes].reverse().map((name) => ({ name, count: counts[name] }))
  const whole = parts.reduce((sum, { count }) => sum + count, 0)
  const isCount = rows.some(({ origin }) => origin !== undefined)
  const judged = counts.passed + counts.failed
  return {
    text: isCount ? formatCount(counts.passed, judged) : formatRate(counts.passed, judged),
    isCount,
    parts,
    whole,
  }
}

/** `66.7% (2 of 3)` */
function formatRate(passed: number, judged: number): string {
  const of = formatCount(passed, judged)
  return judged === 0 ? percentText(passed, judged) : `${percentText(passed, judged)} (${of})`
}

function formatCount(passed: number, judged: number): string {
  return `${passed.toLocaleString('en')} of ${judged.toLocaleString('en')}`
}

/** The rate of every variant with results: those of the run, in their order, then others (`scripts`). */
export function variantRates(rows: readonly PageRow[], variants: readonly string[]): VariantRate[] {
  const own = new Map<string, PageRow[]>(variants.map((variant) => [variant, []]))
  for (const row of rows) {
    const known = own.get(row.variant)
    if (known) known.push(row)
    else own.set(row.variant, [row])
  }
  return [...own].flatMap(([variant, members]) =>
    members.length === 0 ? [] : [{ variant, ...computePassRate(members) }],
  )
}
