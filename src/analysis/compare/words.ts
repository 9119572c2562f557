import { compact } from '../../json/defined.ts'
import { formatShare as exactly } from '../../reporters/gate-text.ts'
import { originText } from '../../reporters/origin-text.ts'
import { wilsonInterval } from '../../results/statistics/wilson.ts'
import { pluralize } from '../../text/counted.ts'
import { formatDollars } from '../../text/dollars.ts'
import { shortTime } from '../../text/duration.ts'
import type { CaseRuns } from './case-runs.ts'
import type { CaseChange, Comparison } from './compare.ts'

/** The verdict as a sentence. */
export function verdictText(comparison: Comparison): string {
  const verdict = verdictSentence(comparison)
  return comparison.sameConversations
    ? `${verdict}. Both judge the same conversations: the checks changed, not the agent`
    : verdict
}

function verdictSentence({ verdict, runsNeeded, alpha, changes, missing, compared }: Comparison): string {
  const looksWorse = changes.filter((change) => change.looksWorse).length
  switch (verdict) {
    case 'regression': {
      const count = changes.filter(({ regressed }) => regressed).length
      const which = count === 0 ? 'of all cases together' : `of ${pluralize(count, 'case')}`
      return `Regression: the pass rate ${which} is lower, and not by chance (alpha ${alpha})`
    }
    case 'improvement': {
      const but =
        looksWorse === 0
          ? ''
          : `; ${pluralize(looksWorse, 'case looks', 'cases look')} worse, which may be chance`
      return `Improvement: the pass rate is higher, and not by chance (alpha ${alpha})${but}`
    }
    case 'not enough runs':
      return runsNeeded === undefined
        ? 'Not enough runs to tell: something looks worse, but that may be chance; more runs would hardly help'
        : `Not enough runs to tell: something looks worse, but that may be chance; ${runsNeeded} runs of each case, before and after, would be enough if the rates stay the same`
    case 'no regression':
      return compared === 0
        ? 'No regression: nothing that could be compared has changed'
        : 'No regression: no case passes less often'
    case 'incomplete':
      return `The new run is incomplete: ${pluralize(missing.head, 'result is', 'results are')} missing`
    case 'nothing compared':
      return 'Nothing could be compared: no unchanged case was judged in both runs'
  }
}

/** The figures behind the verdict; empty when nothing was compared. */
export function testText({ method, test, difference, baseRate, headRate, compared }: Comparison): string[] {
  if (difference === undefined || baseRate === undefined || headRate === undefined) return []
  return [
    [
      `${pluralize(compared, 'case')}: mean pass rate ${roundedPercent(baseRate)} → ${roundedPercent(headRate)}`,
      `(${signedPoints(difference.difference)}, 95% interval ${signedPoints(difference.low)} to ${signedPoints(difference.high)}),`,
      `p ${pText(test.twoSided)} (${method})`,
    ].join(' '),
  ]
}

export function changeText({ kinds, base, head, p, regressed }: CaseChange): string {
  const parts = compact([
    kinds.join(', '),
    `${rateText(base)} → ${rateText(head)}`,
    regressed && `p ${pText(p)}`,
    kinds.includes('slower') && `${shortTime(base.durationMs)} → ${shortTime(head.durationMs)}`,
    kinds.includes('more expensive') && `${formatDollars(base.cost ?? 0)} → ${formatDollars(head.cost ?? 0)}`,
  ])
  return parts.join('; ')
}

/** Limitations that a reader should know before trusting the verdict. */
export function listNotes({
  edited,
  unjudged,
  onlyBase,
  onlyHead,
  missing,
  onlyFirst,
  origins,
  carriedOver,
  onlyRunNow,
}: Comparison): string[] {
  const names = (all: readonly { id: string }[]) =>
    all
      .slice(0, 5)
      .map(({ id }) => id)
      .join(', ') + (all.length > 5 ? ', …' : '')
  const ids = (pairs: readonly { head: { id: string } }[]) => names(pairs.map(({ head }) => head))
  return compact([
    origins.base && `the baseline is ${originText(origins.base)}, not a live run`,
    origins.head && `the new run is ${originText(origins.head)}, not a live run`,
    missing.base > 0 &&
      `the baseline is incomplete: ${pluralize(missing.base, 'result is', 'results are')} missing`,
    onlyFirst !== undefined &&
      `only the first ${onlyFirst} runs of each case are compared, because runs stopped when the answer was clear (--runs auto)`,
    carriedOver !== undefined &&
      `${pluralize(carriedOver, 'case was', 'cases were')} carried over as unchanged, and ${carriedOver === 1 ? 'is' : 'are'} in no figure`,
    onlyRunNow !== undefined &&
      `${pluralize(onlyRunNow, 'case was', 'cases were')} carried over in the baseline, which has no results of ${onlyRunNow === 1 ? 'it' : 'them'}`,
    edited.length > 0 &&
      `${pluralize(edited.length, 'case was edited and is', 'cases were edited and are')} not compared: ${ids(edited)}`,
    unjudged.length > 0 &&
      `${pluralize(unjudged.length, 'case')} could not be judged in one of the runs: ${ids(unjudged)}`,
    onlyBase.length > 0 && `${pluralize(onlyBase.length, 'case')} only in the baseline: ${names(onlyBase)}`,
    onlyHead.length > 0 && `${pluralize(onlyHead.length, 'case')} only in the new run: ${names(onlyHead)}`,
  ])
}

/** `3/5 60% (23.1–88.2%)`, or `passed` and `failed` for a single run. */
function rateText({ trials: { runs, passed } }: CaseRuns): string {
  if (runs === 1) return passed === 1 ? 'passed' : 'failed'
  const { low, high } = wilsonInterval(passed, runs)
  return `${passed}/${runs} ${roundedPercent(passed / runs)} (${roundedPercent(low)}–${roundedPercent(high)})`
}

/** Rounded to one decimal: a handful of runs is not more precise. */
function roundedPercent(share: number): string {
  return exactly(Math.round(share * 1000) / 1000)
}

function signedPoints(share: number): string {
  const points = Math.round(share * 1000) / 10
  return `${points > 0 ? '+' : ''}${points} points`
}

function pText(p: number): string {
  return p < 0.0001 ? '< 0.0001' : `= ${p.toFixed(4)}`
}
