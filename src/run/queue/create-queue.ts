import type { Redactor } from '../../privacy/redact.ts'
import type { Gates } from '../../results/gates.ts'
import type { JobList } from '../jobs.ts'
import type { JobQueue } from './job-queue.ts'
import { listQueue } from './run-queue.ts'
import { sequentialQueue } from './sequential-queue.ts'

/** With gates that require a confidence, jobs run until it is reached; otherwise all jobs run. */
export function createQueue(
  jobs: JobList,
  { case: gate, confidence }: Gates = {},
  redact: Redactor,
): JobQueue {
  return gate === undefined || confidence === undefined
    ? { ...listQueue(jobs), add() {}, spare: () => [], spared: () => 0 }
    : sequentialQueue(jobs, { gate, confidence }, redact)
}
