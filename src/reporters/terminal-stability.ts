import { compact } from '../json/defined.ts'
import type { CaseStability } from '../results/case-stability.ts'
import { decideCaseGate, decideStableGate, type Gates } from '../results/gates.ts'
import { passedShare } from '../results/stability.ts'
import { stabilityText } from '../results/stability-class.ts'
import type { RunStart } from '../results/summary.ts'
import { formatDollars } from '../text/dollars.ts'
import { shortTime } from '../text/duration.ts'
import { formatShare } from './gate-text.ts'
import { passKLines } from './pass-k-lines.ts'
import type { Inked, Pen } from './pen.ts'
import { oneLine } from './printable.ts'

/** More would push the summary off the screen; the journal has all of them. */
const mostCases = 30
const widest = 40
const biasNote = 'These rates are biased away from the gate, because runs stop as soon as the answer is clear'

/** The stability of each case, the least stable first, and how likely it is that several runs pass. */
export function stabilityLines(
  cases: readonly CaseStability[],
  start: RunStart | undefined,
  pen: Pen,
): Inked[] {
  if (cases.length === 0 || start === undefined) return []
  const { gates = {}, variants } = start
  const several = variants.length > 1
  const inOrder = cases.toSorted((one, other) => (passedShare(one) ?? -1) - (passedShare(other) ?? -1))
  const shown = inOrder.slice(0, mostCases)
  const isTwice = findRepeated(cases)
  const named = (each: CaseStability) => {
    const where = isTwice.has(withoutFile(each)) ? ` of ${each.file}` : ''
    return oneLine(`${each.id}${where}${several ? ` (${each.variant})` : ''}`, widest)
  }
  const width = shown.reduce((most, each) => Math.max(most, named(each).length), 0)
  const isBiased = gates.confidence !== undefined
  return compact([
    pen.line`  ${pen.bold('Stability')}`,
    ...shown.map(
      (each) => pen.line`  ${mark(each, gates, pen)} ${named(each).padEnd(width)}  ${figures(each, gates)}`,
    ),
    cases.length > mostCases &&
      pen.line`    … and ${cases.length - mostCases} more, none less stable than these`,
    ...passKLines(cases, gates).map((line) => pen.line`  ${line}`),
    isBiased && pen.dim(`    ${biasNote}`),
    pen.line``,
  ])
}

/** The cases that exist in several files. */
function findRepeated(cases: readonly CaseStability[]): Set<string> {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const each of cases) {
    const name = withoutFile(each)
    if (seen.has(name)) repeated.add(name)
    seen.add(name)
  }
  return repeated
}

function withoutFile({ id, variant }: CaseStability): string {
  return JSON.stringify([id, variant])
}

function mark(found: CaseStability, gates: Gates, pen: Pen): Inked {
  const own = [decideCaseGate(gates, found), decideStableGate(gates, found)].filter(
    (decision) => decision !== undefined,
  )
  const decisions = own.length > 0 ? own : [found.failed === 0 ? 'reached' : 'missed']
  if (found.passed + found.failed === 0) return pen.yellow('?')
  if (decisions.includes('missed')) return pen.red('✗')
  return decisions.includes('undecided') ? pen.yellow('?') : pen.green('✓')
}

/** Runs that are not live are counted, but have no rate. */
function rate({ passed, failed, passRate, interval }: CaseStability): string {
  if (passed + failed === 0) return 'nothing could be judged'
  const counts = `${passed}/${passed + failed}`
  if (passRate === undefined || interval === undefined) return `${counts} passed`
  return `${counts} ${passRate}% (${interval.low}–${interval.high}%)`
}

function figures(found: CaseStability, gates: Gates): string {
  const { stability, consistency, durations, unjudged, cost } = found
  const decision = decideCaseGate(gates, found)
  const stableDecision = decideStableGate(gates, found)
  const kinds = Object.entries(found.failureKinds).map(
    ([kind, count]) => `${count} × ${oneLine(kind, widest)}`,
  )
  return compact([
    rate(found),
    gates.case !== undefined && decision && `gate ${formatShare(gates.case)}: ${decision}`,
    stableDecision && `gate stable: ${stableDecision}`,
    stability && stabilityText(found),
    found.known && 'known to fail',
    ...kinds,
    found.flaky > 0 && `${found.flaky} × passed only after a retry`,
    unjudged > 0 && `${unjudged} not judged`,
    consistency !== undefined && `consistency ${consistency}`,
    `p50 ${shortTime(durations.p50)}, p95 ${shortTime(durations.p95)}`,
    cost !== undefined && cost > 0 && formatDollars(cost),
  ]).join(', ')
}
