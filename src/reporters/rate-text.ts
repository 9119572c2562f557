import type { Counts } from '../results/summary.ts'
import { agentFailures, passRate } from '../results/tally.ts'
import { pluralize } from '../text/counted.ts'
import { noRateText } from './origin-text.ts'

type Judged = Pick<Counts, 'origin' | 'passed' | 'failed' | 'infrastructureErrors' | 'vivaFailures'>

/** The pass rate of the results that could be judged: `66.7% (2 of 3)`. */
export function rateText(counts: Judged): string {
  if (counts.origin !== undefined) return noRateText(counts.origin)
  const rate = passRate(counts)
  const judged = counts.passed + agentFailures(counts)
  return rate === undefined ? 'nothing was judged' : `${rate}% (${counts.passed} of ${judged})`
}

/** `2 passed, 1 failed, 1 infrastructure error`: failures that are not the agent's are counted separately. */
export function countsText(counts: Judged): string {
  const { passed, infrastructureErrors, vivaFailures } = counts
  return [
    `${passed} passed`,
    `${agentFailures(counts)} failed`,
    ...(infrastructureErrors === 0 ? [] : [pluralize(infrastructureErrors, 'infrastructure error')]),
    ...(vivaFailures === 0 ? [] : [pluralize(vivaFailures, 'bug in viva', 'bugs in viva')]),
  ].join(', ')
}
