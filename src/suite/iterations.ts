import { computeSpread } from '../results/statistics/spread.ts'
import { classifyTrial } from '../results/trial.ts'
import type {
  EvalTestResult,
  IterationStats,
  MultiTurnIterationStats,
  MultiTurnResult,
  Played,
  PlayedResult,
} from './results.ts'

/** The plays of one case, in whichever order they ended, as one result. */
export function combineIterations<Input, Output>(
  finished: readonly PlayedResult<Input, Output>[],
): EvalTestResult<Input, Output> | undefined {
  const plays = finished.toSorted((one, other) => one.iteration - other.iteration)
  const [first] = plays
  if (first === undefined || plays.length === 1) return first
  const worst = plays.toSorted((one, other) => rank(one) - rank(other))[0] ?? first
  const stats = iterationStats(plays)
  const shared = { passed: plays.every(({ passed }) => passed), iterationStats: stats }
  if (worst.kind === 'single-turn') {
    const iterations = plays.filter((play) => play.kind === 'single-turn')
    return { ...worst, ...shared, kind: 'single-turn-iterated', iterations }
  }
  const iterations = plays.filter((play) => play.kind === 'multi-turn')
  const multiTurnIterationStats = multiTurnStats(stats, iterations)
  return { ...worst, ...shared, kind: 'multi-turn-iterated', multiTurnIterationStats, iterations }
}

/** What needs a look most comes first; of failures the one with the lowest score. */
function rank({ status, fault, score = 0 }: Played): number {
  if (status === 'failed') return fault === 'agent' ? score / 1000 : 1
  return status === 'passed' ? 4 : status === 'skipped' ? 3 : 2
}

function iterationStats(plays: readonly Played[]): IterationStats {
  const judged = plays.filter((play) => play.origin === undefined && classifyTrial(play) !== undefined)
  const passCount = plays.filter(({ passed }) => passed).length
  const scores = plays.flatMap(({ score }) => score ?? [])
  const spread = scores.length === 0 ? undefined : computeSpread(scores)
  return {
    iterations: plays.length,
    passCount,
    ...(judged.length > 0 && { passRate: judged.filter(({ passed }) => passed).length / judged.length }),
    scores,
    ...(spread && { mean: spread.average, stdDev: spread.deviation, min: spread.least, max: spread.most }),
  }
}

const noTurns = { average: 0, least: 0, most: 0 }

function multiTurnStats(
  stats: IterationStats,
  plays: readonly Pick<MultiTurnResult<never, never>, 'status' | 'totalTurns' | 'terminationReason'>[],
): MultiTurnIterationStats {
  // One that was never played has no turns to count.
  const played = plays.filter(({ status }) => status === 'passed' || status === 'failed')
  const turns = played.length === 0 ? noTurns : computeSpread(played.map(({ totalTurns }) => totalTurns))
  const terminationCounts: Record<string, number> = {}
  for (const { terminationReason: reason } of plays)
    terminationCounts[reason] = (terminationCounts[reason] ?? 0) + 1
  return { ...stats, avgTurns: turns.average, minTurns: turns.least, maxTurns: turns.most, terminationCounts }
}
