import type { ResultsOptions } from '../results/read-results.ts'
import type { CaseResult } from '../results/result.ts'
import type { RunEvent } from '../results/run-event.ts'

/**
 * Reports on a run. It gets events as they happen, and at the end it may read all results from the journal again. A
 * reporter that throws makes the run fail, but never stops it.
 */
export interface Reporter {
  /** The name in messages. */
  name: string
  on?(event: RunEvent): void | Promise<void>
  /** Called before the summary is final, because what the report itself costs belongs into it. */
  draft?(
    ended: Extract<RunEvent, { type: 'run_finished' }>,
    results: (options?: ResultsOptions) => AsyncIterable<CaseResult>,
  ): Promise<void>
  finish?(results: (options?: ResultsOptions) => AsyncIterable<CaseResult>): Promise<void>
}
