import type { CaseStability } from './case-stability.ts'
import type { ResultsOptions } from './read-results.ts'
import type { CaseResult } from './result.ts'
import type { RunStart, RunSummary } from './summary.ts'
import type { PlannedResults, Tally } from './tally.ts'

/** Where the results of a run are stored: in a journal on disk, or in memory when viva is used as a library. */
export interface ResultStore {
  /** The path of the file, if there is one. */
  readonly path: string
  /** Called first: the results of this plan are counted as they are written. */
  expect(plan: PlannedResults): void
  writeStart(start: RunStart): void
  /** It is kept when `flush` returns: results that come within a few milliseconds share one write. */
  writeResult(result: CaseResult): void
  flush(): void
  writeStability(stability: CaseStability): void
  writeSummary(summary: RunSummary, exitCode: number): void
  results(plan: PlannedResults, options?: ResultsOptions): AsyncIterable<CaseResult>
  /** The counts of the plan, when all results are written. */
  tally(plan: PlannedResults): Promise<Tally>
  /** Aborted when another run has taken the file over, so that nothing more can be written. */
  readonly lost?: AbortSignal
  close(): void
}
