import type { Job } from '../cases/entry.ts'
import type { CaseResult } from '../results/result.ts'
import type { Queue } from './pool.ts'

/** The jobs of a run. */
export interface JobQueue extends Queue<Job> {
  /** What a case came to: of this run, or of the one that this one goes on with. */
  add(result: CaseResult): void
  /** What is still to be played, and was not taken. */
  left(): Job[]
  /** What will not be played, and is not missed. */
  spare(): Job[]
  /** Of these, how many results are not needed, since all is known about their cases. */
  spared(): number
}
