import { defined } from '../../json/defined.ts'
import type { CaseResult } from '../../results/result.ts'
import { addUsages, isUnpriced, totalCost, type UsageByRole } from '../../results/usage.ts'
import type { Draft } from './draft.ts'
import type { ReductionName } from './reduction-names.ts'
import { reductions } from './reductions.ts'
import { mostRateRuns, mostRuns } from './rules.ts'
import { lastRuns, mostTries } from './shrink.ts'

/** What shrinking will come to, from the best case to the worst. */
export interface ShrinkEstimate {
  conversations: Range
  turns: Range
  /** In US dollars, by what the recorded conversation cost; undefined where that is unknown. */
  cost?: Range
  /** The most conversations if the failure is flaky; absent if it is known how often each case is played. */
  mostIfFlaky?: number
}

interface Range {
  least: number
  most: number
}

export interface ShrinkPlan {
  only?: readonly ReductionName[]
  /** In how many of how many runs a case must fail. Absent: in one, as long as the failure does not turn out to be flaky. */
  runs?: Range
}

export function estimateShrink(
  draft: Draft,
  result: Pick<CaseResult, 'usage' | 'view'>,
  { only, runs }: ShrinkPlan,
): ShrinkEstimate {
  const whole = draft.turns.length
  const candidates = countCandidates(draft, only)
  // The original is played first, and what is left at the end. Then each of its turns is left out once more.
  const conversations =
    runs === undefined
      ? { least: candidates.least + 1 + lastRuns, most: candidates.most + 1 + lastRuns + whole }
      : { least: (candidates.least + 2) * runs.least, most: (candidates.most + 2) * runs.most }
  const perCase = runs?.least ?? 1
  // At best, all but the first is played with one turn.
  const turns = {
    least: perCase * whole + (conversations.least - perCase),
    most: conversations.most * whole,
  }
  const perTurn = costPerTurn(result)
  const cost =
    perTurn === undefined ? undefined : { least: turns.least * perTurn, most: turns.most * perTurn }
  // Twice, if what is left does not fail often enough. The rate is measured, and each candidate tested, until it is clear.
  const mostIfFlaky = conversations.most + mostTries + 2 * (mostRateRuns + mostRuns * (candidates.most + 1))
  return {
    conversations,
    turns,
    ...defined({ cost, mostIfFlaky: runs === undefined ? mostIfFlaky : undefined }),
  }
}

/** How many smaller cases are played. */
function countCandidates(draft: Draft, only: readonly ReductionName[] | undefined): Range {
  const range = { least: 0, most: 0 }
  for (const { name, lists } of reductions) {
    if (only !== undefined && !only.includes(name)) continue
    for (const { count } of lists(draft)) {
      if (count === 0) continue
      // At best nothing of it is needed; at worst all of it, and one after the other is asked for.
      range.least += 1
      range.most += count + Math.ceil(Math.log2(count + 1))
    }
  }
  return range
}

/** Without the simulated user, who is not asked again. */
function costPerTurn({ usage, view }: Pick<CaseResult, 'usage' | 'view'>): number | undefined {
  const { simulator: _, generator: __, ...again } = addUsages({}, usage) as UsageByRole
  const cost = isUnpriced(again) ? undefined : totalCost(again)
  return cost === undefined ? undefined : cost / Math.max(1, view.turns.length)
}
