import { escapeCommandsInJson } from '../../reporters/workflow-commands.ts'
import { type Mutation, scoresByOperator, scoreWithProposals, totalScore } from './mutation.ts'
import type { Score } from './score.ts'
import { placeText } from './words.ts'

export const mutationJsonHead = '{\n  "type": "mutation",\n'

export function mutationJson(mutation: Mutation): string {
  return `${escapeCommandsInJson(JSON.stringify(mutationData(mutation), null, 2))}\n`
}

function mutationData(mutation: Mutation): object {
  return {
    type: 'mutation',
    results: mutation.results,
    judges: mutation.judges,
    over_budget: mutation.overBudget,
    ...scoreData(totalScore(mutation)),
    with_proposals: scoreData(scoreWithProposals(mutation)),
    operators: Object.fromEntries(scoresByOperator(mutation)),
    left_out: mutation.leftOut,
    cases: mutation.cases.map(({ id, file, line, killed, survived, ...score }) => ({
      id,
      file,
      line,
      killed,
      survived,
      not_judged: score.notJudged,
      beyond_limits: score.beyond,
      not_asked: score.unasked,
      survivors: score.survivors,
      proposals: score.proposals.map(({ check, kills }) => ({
        at: placeText(check.at),
        assertion: check.assertion,
        kills,
      })),
    })),
  }
}

function scoreData({ killed, survived, share, interval }: Score): object {
  return { score: share ?? null, killed, survived, low: interval?.low ?? null, high: interval?.high ?? null }
}
