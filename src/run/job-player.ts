import type { Job } from '../cases/entry.ts'
import type { RunEvent } from '../results/run-event.ts'
import type { OnResult } from './stage.ts'

/** What a run gives to whoever plays its jobs elsewhere. */
export interface PlayerRun {
  /** Ends the jobs that are being played: their cases are reported as not run. */
  signal: AbortSignal
  emit(event: RunEvent): void
  /** How many results it has by now. */
  countFinished(): number
  /** Writes all results that were reported so far to disk. */
  flush(): void
}

/** Plays jobs elsewhere: in other processes, on other machines. */
export interface JobPlayer {
  /** Called once, before the first job. */
  start(run: PlayerRun): void
  /** Never throws: what keeps a job from being played becomes its results. */
  play(job: Job, onResult: OnResult): Promise<void>
  /** Jobs that nobody has started are not played any more. */
  withdraw(why: string): void
  /** Called when all jobs have their results: nobody is needed any more. Never throws. */
  close(): Promise<void>
  /** Aborted with the reason when nothing can be played any more. */
  readonly lost: AbortSignal
}
