import type { Job } from '../../cases/entry.ts'
import type { CaseResult } from '../../results/result.ts'
import type { JobList } from '../jobs.ts'
import type { Queue } from './run-queue.ts'

/** The jobs of a run. */
export interface JobQueue extends Queue<Job> {
  /** Takes a result of this run, or of the run that is resumed. */
  add(result: CaseResult): void
  /** Jobs that are still needed and were not taken. */
  left(): JobList
  /** Jobs that are not needed. */
  spare(): Job[]
  /** How many results are not needed, because their cases are decided. */
  spared(): number
}
