import { type CaseRuns, gatherRuns } from '../../analysis/compare/case-runs.ts'
import { type Comparison, compareRuns, type Side } from '../../analysis/compare/compare.ts'
import { defined } from '../../json/defined.ts'
import type { CaseResult } from '../../results/result.ts'
import { leastRuns } from '../../results/statistics/sequential.ts'
import type { RunStart } from '../../results/summary.ts'
import { missingResults } from '../../results/tally.ts'
import { openSavedRun, type PrivacyFlags, type SavedRunNeeds } from './saved-run.ts'

/** A run that is over, or about to be. */
export interface ComparedRun {
  start: Pick<RunStart, 'gates' | 'origin' | 'carriedOver'>
  missing: number
  results: AsyncIterable<CaseResult>
}

export async function savedRun(
  file: string,
  privacy: PrivacyFlags,
  needs: SavedRunNeeds,
): Promise<ComparedRun> {
  const { start, summary, results } = await openSavedRun(file, privacy, needs)
  return { start, missing: missingResults(summary), results: results() }
}

export async function compareTwo(base: ComparedRun, head: ComparedRun, alpha: number): Promise<Comparison> {
  const onlyFirst = runsThatAreAlwaysPlayed([base.start, head.start])
  const [before, after] = [
    await gatherRuns(base.results, onlyFirst),
    await gatherRuns(head.results, onlyFirst),
  ]
  const comparison = compareRuns(describeSide(base, before), describeSide(head, after), alpha)
  return { ...comparison, ...defined({ onlyFirst }) }
}

function describeSide({ start, missing }: ComparedRun, cases: readonly CaseRuns[]): Side {
  const carriedOver = start.carriedOver?.map(([file, id, variant]) => ({ file, id, variant }))
  return { cases, missing, ...defined({ origin: start.origin, carriedOver }) }
}

/** With `--runs auto`, how many runs there are depends on how they ended, but for the first ones. */
function runsThatAreAlwaysPlayed(starts: readonly Pick<RunStart, 'gates'>[]): number | undefined {
  const least = starts.flatMap(({ gates: { case: gate, confidence } = {} }) =>
    gate === undefined || confidence === undefined ? [] : Object.values(leastRuns({ gate, confidence })),
  )
  return least.length === 0 ? undefined : Math.min(...least)
}
