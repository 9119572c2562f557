import type { CaseStability } from './case-stability.ts'
import type { ResultsOptions } from './read-results.ts'
import type { CaseResult } from './result.ts'
import type { RunStart, RunSummary } from './summary.ts'
import type { PlannedResults, Tally } from './tally.ts'

/** Where the results of a run are kept: a journal on disk, or the memory of whoever uses viva as a library. */
export interface ResultStore {
  /** Of the file, where there is one. */
  readonly path: string
  writeStart(start: RunStart): void
  writeResult(result: CaseResult): void
  writeStability(stability: CaseStability): void
  writeSummary(summary: RunSummary, exitCode: number): void
  results(plan: PlannedResults, options?: ResultsOptions): AsyncIterable<CaseResult>
  tally(plan: PlannedResults): Promise<Tally>
  /** Aborted when somebody else has taken the place over: nothing can be kept there any more. */
  readonly lost?: AbortSignal
  close(): void
}
