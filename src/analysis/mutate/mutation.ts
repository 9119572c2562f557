import type { CaseScore } from './case-score.ts'
import type { LeftOutReason } from './left-out.ts'
import { operators } from './operators/list.ts'
import { addCounts, type MutantCounts, type Score, scoreOf } from './score.ts'

/** What was found out about the checks of all cases. */
export interface Mutation {
  /** The file of the recorded results. */
  results: string
  cases: CaseScore[]
  leftOut: Partial<Record<LeftOutReason, number>>
  /** Whether models were asked. */
  judges: boolean
  /** Why not all models were asked. */
  overBudget?: string
}

export function addLeftOut({ leftOut }: Mutation, reason: LeftOutReason): void {
  leftOut[reason] = (leftOut[reason] ?? 0) + 1
}

export function totalScore({ cases }: Pick<Mutation, 'cases'>): Score {
  return scoreOf(addCounts(cases))
}

/** With the checks that are proposed for these cases. */
export function scoreWithProposals(
  { cases }: Pick<Mutation, 'cases'>,
  isAccepted: IsAccepted = () => true,
): Score {
  return scoreOf(
    addCounts(
      cases.map((each) => {
        const more = each.proposals.reduce(
          (sum, proposal) => (isAccepted(proposal) ? sum + proposal.kills : sum),
          0,
        )
        return { killed: each.killed + more, survived: each.survived - more }
      }),
    ),
  )
}

export type IsAccepted = (proposal: CaseScore['proposals'][number]) => boolean

/** By the kind of damage, in the order of the list. */
export function scoresByOperator({
  cases,
}: Pick<Mutation, 'cases'>): [operator: string, counts: MutantCounts][] {
  return operators.flatMap(({ name }): [string, MutantCounts][] => {
    const own = cases.flatMap(({ operators: counts }) => counts[name] ?? [])
    return own.length === 0 ? [] : [[name, addCounts(own)]]
  })
}
