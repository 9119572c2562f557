import type { AddedCheck } from '../../cases/add-checks.ts'
import { printableJson } from '../../reporters/printable.ts'
import { toPercent } from '../../results/statistics/percent.ts'
import { pluralize } from '../../text/counted.ts'
import type { CaseScore, ProposedCheck, Survivor } from './case-score.ts'
import { uncountedText } from './left-out.ts'
import { type Mutation, scoreWithProposals } from './mutation.ts'
import type { MutantCounts, Score } from './score.ts'

/** `25% (9 of 36; 95% interval 13.8% to 41.1%)` */
export function scoreText({ killed, survived, interval }: Score): string {
  const total = killed + survived
  if (interval === undefined) return 'unknown: no damage could be judged'
  const [low, high] = [toPercent(interval.low, 1), toPercent(interval.high, 1)]
  return `${toPercent(killed, total)}% (${killed} of ${total}; 95% interval ${low}% to ${high}%)`
}

/** `9 of 36` */
export function killedText({ killed, survived }: MutantCounts): string {
  return `${killed} of ${killed + survived}`
}

export function survivorText({ operator, what, turn }: Survivor): string {
  return `${turn === undefined ? '' : `turn ${turn}: `}${operator}: ${what}`
}

/** Where a check is added. */
export function placeText(at: AddedCheck['at']): string {
  if (at === 'case') return 'assert'
  return at === 'end' ? 'final_assertions' : `turns[${at.turn}].assert`
}

export function proposalText({ check: { at, assertion } }: Pick<ProposedCheck, 'check'>): string {
  return `${placeText(at)}: ${printableJson(assertion)}`
}

/** What the proposals come to; undefined if there are none. */
export function proposedText(mutation: Mutation): string | undefined {
  const count = mutation.cases.reduce((sum, { proposals }) => sum + proposals.length, 0)
  if (count === 0) return undefined
  return `${scoreText(scoreWithProposals(mutation))} with ${pluralize(count, 'proposed check')}`
}

/** What the score does not say. */
export function listMutationNotes({ cases, leftOut, judges, overBudget }: Mutation): string[] {
  const sum = (count: (score: CaseScore) => number) => cases.reduce((total, each) => total + count(each), 0)
  const [open, beyond, unasked] = [
    sum(({ notJudged }) => notJudged.length),
    sum((each) => each.beyond),
    sum((each) => each.unasked),
  ]
  const leftOutCases = uncountedText(leftOut)
  return [
    ...(overBudget === undefined ? [] : [overBudget]),
    ...(leftOutCases === '' ? [] : [`Left out: ${leftOutCases}`]),
    ...(open === 0
      ? []
      : [`${pluralize(open, 'mutant')} could not be judged, counted neither way: ${commonReason(cases)}`]),
    ...(unasked === 0 || judges
      ? []
      : [
          `${pluralize(unasked, 'check')} of the cases with a score ${unasked === 1 ? 'asks a model and was' : 'ask models and were'} not asked: --judges asks them`,
        ]),
    ...(beyond === 0
      ? []
      : [
          `${pluralize(beyond, 'more damage')} possible: at most two of a kind are made for each reply, and --max-mutants for each case`,
        ]),
  ]
}

/** Why most of them could not be judged. */
function commonReason(cases: readonly CaseScore[]): string {
  const counts = new Map<string, number>()
  for (const { notJudged } of cases)
    for (const { reason } of notJudged) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const [[reason = ''] = []] = [...counts].sort(([, left], [, right]) => right - left)
  return reason
}
