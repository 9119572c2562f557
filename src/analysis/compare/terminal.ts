import { renderDiff } from '../../reporters/diff.ts'
import type { Inked, Pen } from '../../reporters/pen.ts'
import { oneLine } from '../../reporters/printable.ts'
import { diffInk } from '../../reporters/terminal-check.ts'
import { comparisonInk } from '../../reporters/terminal-summary.ts'
import type { CaseChange, Comparison } from './compare.ts'
import { changeText, listNotes, testText, verdictText } from './words.ts'

/** More would push the verdict off the screen; a report (`-o`) has all of them. */
const mostCases = 20
const mostDiffs = 5

export function comparisonLines(comparison: Comparison, pen: Pen): Inked[] {
  const { changes, verdict } = comparison
  let diffs = 0
  return [
    ...changes.slice(0, mostCases).flatMap((change) => {
      const lines = changeLines(change, diffs < mostDiffs, pen)
      if (change.kinds.includes('changed output')) diffs += 1
      return lines
    }),
    ...(changes.length > mostCases ? [pen.line`  … and ${changes.length - mostCases} more`] : []),
    ...(changes.length > 0 ? [pen.line``] : []),
    ...listNotes(comparison).map((note) => pen.line`  ${pen.yellow('⚠')} ${oneLine(note, 300)}`),
    ...testText(comparison).map((line) => pen.line`  ${line}`),
    pen.line`  ${comparisonInk({ verdict, text: verdictText(comparison) }, pen)}`,
  ]
}

function changeLines(change: CaseChange, withDiff: boolean, pen: Pen): Inked[] {
  const { kinds, base, head, looksWorse, regressed } = change
  const sign = regressed ? pen.red('✗') : looksWorse ? pen.yellow('?') : pen.dim('·')
  const failsNow = looksWorse && head.failure !== undefined
  const diff = withDiff && kinds.includes('changed output') ? renderDiff(base.output, head.output) : undefined
  return [
    pen.line`  ${sign} ${oneLine(head.id, 60)}: ${changeText(change)}`,
    ...(failsNow ? [pen.line`      ${oneLine(head.failure ?? '', 200)}`] : []),
    ...(diff ?? []).map((line) => pen.line`      ${diffInk(line, pen)}`),
  ]
}
