import { tally } from './figures.ts'
import type { PageRow } from './report-data.ts'

export const choices = ['tag', 'variant', 'file', 'kind'] as const
export type Choice = (typeof choices)[number]

export interface Offer {
  /** The most frequent values, with how many rows have them. */
  values: [string, number][]
  /** How many others there are. */
  others: number
}

/** Nobody looks for one value in a longer list, and a browser takes seconds to draw it. */
const mostOffered = 200

/** Values that can be chosen. */
export function offersOf(rows: readonly PageRow[]): Record<Choice, Offer> {
  const counted = rows.filter(({ retrying }) => !retrying)
  return {
    tag: offerOf(counted.flatMap(({ tags = [] }) => tags)),
    variant: offerOf(counted.map(({ variant }) => variant)),
    file: offerOf(counted.map(({ file }) => file)),
    kind: offerOf(counted.flatMap(failureKind)),
  }
}

/** What was skipped has a reason, but did not fail. */
export function failureKind({ kind, outcome, retrying }: PageRow): string[] {
  return kind === undefined || retrying || outcome === 'skipped' ? [] : [kind]
}

function offerOf(all: readonly string[]): Offer {
  const counts = tally(all)
  return { values: counts.slice(0, mostOffered), others: Math.max(0, counts.length - mostOffered) }
}
