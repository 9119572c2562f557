import { hash } from 'node:crypto'
import type { CaseEntry, Job } from '../../cases/entry.ts'
import { InfrastructureError } from '../../errors.ts'
import { sortedJson } from '../../json/json.ts'
import type { TapeData } from '../../scope/tape.ts'
import type { QueuedJob } from './messages.ts'

/** The same for the same job of the same run, so that it is in the queue once. The name of the run is part of `generation`. */
export function jobId({ entries, variant, run, attempt }: Job, generation: string): string {
  const cases = entries.map(({ file, id, hash: caseHash }) => [file, id, caseHash])
  return `j${hash('sha256', sortedJson([generation, variant, run, attempt, cases])).slice(0, 24)}`
}

/** The same for all runs and attempts of the same cases. */
export function caseNames(job: Job): string {
  return jobId({ ...job, run: 0, attempt: 0 }, '')
}

/** A job as workers get it. `written`: a case that is in no file, as it was written; undefined for others. */
export function describeJob(
  { variant, run, attempt, entries }: Job,
  generation: string,
  written: (entry: CaseEntry) => unknown,
  { tapes, lostBefore }: { tapes: readonly TapeData[]; lostBefore: number },
): QueuedJob {
  return {
    generation,
    variant,
    run,
    attempt,
    cases: entries.map((entry) => {
      const { file, id, hash: caseHash, line } = entry
      const own = written(entry)
      return { file, id, hash: caseHash, line, ...(own !== undefined && { written: own }) }
    }),
    ...(lostBefore > 0 && { lost: lostBefore }),
    ...(tapes.length > 0 && { tapes: [...tapes] }),
  }
}

/** Secrets do not travel. */
export function secretError(): InfrastructureError {
  return new InfrastructureError(
    'queue',
    'the case holds a secret, which must not travel to a worker: put it in a case file, or a variable of the worker',
  )
}
