import type { ResultsOptions } from '../results/read-results.ts'
import type { CaseResult } from '../results/result.ts'
import type { RunEvent } from '../results/run-event.ts'

/**
 * Something that tells about a run. It sees events as they happen, and at the end the journal, from which
 * it may read every result once more. One that throws fails the run; it never stops it.
 */
export interface Reporter {
  /** How messages name it. */
  name: string
  on?(event: RunEvent): void | Promise<void>
  /** Called before the run is summed up, with all but that: what the report itself costs belongs into the sum. */
  draft?(
    ended: Extract<RunEvent, { type: 'run_finished' }>,
    results: (options?: ResultsOptions) => AsyncIterable<CaseResult>,
  ): Promise<void>
  finish?(results: (options?: ResultsOptions) => AsyncIterable<CaseResult>): Promise<void>
}
