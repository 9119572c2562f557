import type { CaseResult } from '../results/result.ts'
import type { RunSummary } from '../results/summary.ts'
import { passRate } from '../results/tally.ts'
import { totalCost } from '../results/usage.ts'
import { costText } from './cost-text.ts'
import type { Inked, Pen } from './pen.ts'
import { oneLine } from './printable.ts'
import { countsText, rateText } from './rate-text.ts'

/** Variants side by side: how each did, and the cases on which they differ. */
export interface VariantTable {
  add(result: CaseResult): void
  lines(summary: RunSummary, pen: Pen): Inked[]
}

/** More would push the summary off the screen; the journal has all of them. */
const mostCases = 30
const columnWidth = 24

export function createVariantTable(): VariantTable {
  const cases = new Map<string, Map<string, CaseResult['status']>>()
  return {
    add({ key, status }) {
      const name = JSON.stringify([key.file, key.id])
      const own = cases.get(name) ?? new Map<string, CaseResult['status']>()
      cases.set(name, own.set(key.variant, status))
    },
    lines({ variants = {} }, pen) {
      const names = Object.keys(variants)
      if (names.length < 2) return []
      const cell = (text: string) => oneLine(text, columnWidth - 1).padEnd(columnWidth)
      const differing = [...cases].filter(([, own]) => new Set(own.values()).size > 1)
      return [
        pen.line`  ${pen.bold('Variants')}`,
        ...Object.entries(variants).map(([name, counts]) => {
          const rate = passRate(counts) === undefined ? '' : `, ${rateText(counts)}`
          const cost = totalCost(counts.usage)
          return pen.line`  ${cell(name)} ${countsText(counts)}${rate}${cost ? `, ${costText(counts.usage)}` : ''}`
        }),
        pen.line``,
        ...(differing.length === 0
          ? []
          : [
              pen.line`  ${pen.bold('Where they differ')}`,
              pen.line`  ${cell('')}${names.map(cell).join('')}`,
            ]),
        ...differing.slice(0, mostCases).map(([name, own]) => {
          const [, id = ''] = JSON.parse(name) as string[]
          return pen.line`  ${cell(id)}${names.map((variant) => cell(own.get(variant) ?? '-')).join('')}`
        }),
        ...(differing.length > mostCases ? [pen.line`  … and ${differing.length - mostCases} more`] : []),
        pen.line``,
      ]
    },
  }
}
