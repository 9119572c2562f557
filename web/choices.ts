import { tally } from './figures.ts'
import type { PageRow } from './report-data.ts'

export const choices = ['tag', 'variant', 'file', 'kind'] as const
export type Choice = (typeof choices)[number]

export interface Offer {
  /** The most frequent values, with their number of rows. */
  values: [string, number][]
  /** The number of other values. */
  others: number
}

/** A longer list is of no use, and a browser takes seconds to render it. */
const mostOffered = 200

/** The values that each filter offers. */
export function collectOffers(rows: readonly PageRow[]): Record<Choice, Offer> {
  const counted = rows.filter(({ retrying }) => !retrying)
  return {
    tag: collectOffer(counted.flatMap(({ tags = [] }) => tags)),
    variant: collectOffer(counted.map(({ variant }) => variant)),
    file: collectOffer(counted.map(({ file }) => file)),
    kind: collectOffer(counted.flatMap(failureKind)),
  }
}

/** A skipped result has a reason but did not fail. */
export function failureKind({ kind, outcome, retrying }: PageRow): string[] {
  return kind === undefined || retrying || outcome === 'skipped' ? [] : [kind]
}

function collectOffer(all: readonly string[]): Offer {
  const counts = tally(all)
  return { values: counts.slice(0, mostOffered), others: Math.max(0, counts.length - mostOffered) }
}
