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
  /** The kinds of events it wants; without it, all. */
  events?: readonly RunEvent['type'][]
  on?(event: RunEvent): void | Promise<void>
  /** Called before the summary is final, because what the report itself costs belongs into it. */
  draft?(
    ended: Extract<RunEvent, { type: 'run_finished' }>,
    results: (options?: ResultsOptions) => AsyncIterable<CaseResult>,
  ): Promise<void>
  finish?(results: (options?: ResultsOptions) => AsyncIterable<CaseResult>): Promise<void>
}

/** All but turns and the exchanges within them, which are many and which few reporters want. */
export const mainEvents: readonly RunEvent['type'][] = [
  'run_started',
  'case_started',
  'log',
  'target_given_up',
  'workers',
  'case_finished',
  'case_stability',
  'run_finished',
]
