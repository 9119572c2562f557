import type { CaseStability } from './case-stability.ts'
import type { PlannedResults } from './planned-results.ts'
import type { ResultsOptions } from './read-results.ts'
import type { CaseResult } from './result.ts'
import type { RunStart, RunSummary } from './summary.ts'
import type { Tally } from './tally.ts'

/** Where the results of a run are stored: in a journal on disk, or in memory when viva is used as a library. */
export interface ResultStore {
  /** The path of the file, if there is one. */
  readonly path: string
  writeStart(start: RunStart): void
  writeResult(result: CaseResult): void
  writeStability(stability: CaseStability): void
  writeSummary(summary: RunSummary, exitCode: number): void
  /** What was written before is kept when this returns. */
  flush(): void
  results(plan: PlannedResults, options?: ResultsOptions): AsyncIterable<CaseResult>
  /** The counts of the plan, when all results are written. */
  tally(plan: PlannedResults): Promise<Tally>
  /** Aborted when another run has taken the file over, so that nothing more can be written. */
  readonly lost?: AbortSignal
  close(): void
}
