import type { Job } from '../../cases/entry.ts'
import type { Redactor } from '../../privacy/redact.ts'
import type { CaseResult } from '../../results/result.ts'
import type { Stage } from '../stage.ts'
import type { JobReport, QueuedJob } from './messages.ts'

/** A run as a worker has opened it. */
export interface OpenRun {
  stage: Omit<Stage, 'emit' | 'targets' | 'tapes'>
  /** More cases at once would disturb each other: their services are reset, for example. */
  mostAtOnce: number
  /** The job with the worker's own cases. Throws an error that says why it is refused. */
  resolve(job: QueuedJob): Job
  /** Takes out what must not leave the worker. */
  redactResult(result: CaseResult): CaseResult
  redact(): Redactor
  /** The tools of servers that were asked for them since it was called last. */
  takeTools(): NonNullable<JobReport['tools']>
}
