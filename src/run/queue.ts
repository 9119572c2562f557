import type { Job } from '../cases/entry.ts'
import type { Redact } from '../privacy/redact.ts'
import type { Gates } from '../results/gates.ts'
import type { JobQueue } from './job-queue.ts'
import { listQueue } from './pool.ts'
import { sequentialQueue } from './sequential-queue.ts'

/** With gates that say how sure one must be, no more than that takes; else all of them. */
export function createQueue(
  jobs: readonly Job[],
  { case: gate, confidence }: Gates = {},
  redact: Redact,
): JobQueue {
  return gate === undefined || confidence === undefined
    ? { ...listQueue(jobs), add() {}, spare: () => [], spared: () => 0 }
    : sequentialQueue(jobs, { gate, confidence }, redact)
}
