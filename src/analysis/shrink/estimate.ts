import type { CaseResult } from '../../results/result.ts'
import { addUsages, isUnpriced, totalCost, type UsageByRole } from '../../results/usage.ts'
import type { Draft } from './draft.ts'
import type { ReductionName } from './reduction-names.ts'
import { reductions } from './reductions.ts'

/** What shrinking will come to if the case fails in every run, from the best case to the worst. */
export interface ShrinkEstimate {
  conversations: { least: number; most: number }
  turns: { least: number; most: number }
  /** In US dollars, by what the recorded conversation cost; undefined where that is unknown. */
  cost?: { least: number; most: number }
}

/** What is left is played this often at the end. */
const lastRuns = 5

export function estimateShrink(
  draft: Draft,
  result: Pick<CaseResult, 'usage' | 'view'>,
  only?: readonly ReductionName[],
): ShrinkEstimate {
  const whole = draft.turns.length
  const turns = { least: whole, most: whole }
  const conversations = { least: 1, most: 1 }
  for (const { name, lists } of reductions) {
    if (only !== undefined && !only.includes(name)) continue
    for (const { count } of lists(draft)) {
      if (count === 0) continue
      // At best nothing of it is needed; at worst all of it, and one after the other is asked for.
      const most = count + Math.ceil(Math.log2(count + 1)) + (name === 'turns' ? count : 0)
      conversations.least += 1
      conversations.most += most
      turns.least += 1
      turns.most += most * whole
    }
  }
  const add = (range: { least: number; most: number }, least: number, most: number) => {
    range.least += least
    range.most += most
  }
  add(conversations, lastRuns, lastRuns)
  add(turns, lastRuns, lastRuns * whole)
  const perTurn = costPerTurn(result)
  if (perTurn === undefined) return { conversations, turns }
  return { conversations, turns, cost: { least: turns.least * perTurn, most: turns.most * perTurn } }
}

/** Without the simulated user, who is not asked again. */
function costPerTurn({ usage, view }: Pick<CaseResult, 'usage' | 'view'>): number | undefined {
  const { simulator: _, generator: __, ...again } = addUsages({}, usage) as UsageByRole
  const cost = isUnpriced(again) ? undefined : totalCost(again)
  return cost === undefined ? undefined : cost / Math.max(1, view.turns.length)
}
