import { hash } from 'node:crypto'
import type { CaseEntry, Job } from '../../cases/entry.ts'
import { InfrastructureError } from '../../errors.ts'
import { sortedJson } from '../../json/json.ts'
import type { TapeData } from '../../scope/tape.ts'
import type { QueuedJob } from './messages.ts'

/** The same for the same job of the same run, so that it is in the queue once. */
export function jobId({ entries, variant, run, attempt }: Job, ofRun: string): string {
  const cases = entries.map(({ file, id, hash: caseHash }) => [file, id, caseHash])
  return `j${hash('sha256', sortedJson([ofRun, variant, run, attempt, cases])).slice(0, 24)}`
}

/** A job as workers get it. `written`: a case that is in no file, as it was written; undefined for others. */
export function describeJob(
  { variant, run, attempt, entries }: Job,
  written: (entry: CaseEntry) => unknown,
  tapes: readonly TapeData[],
): QueuedJob {
  return {
    variant,
    run,
    attempt,
    cases: entries.map((entry) => {
      const { file, id, hash: caseHash, line } = entry
      const own = written(entry)
      return { file, id, hash: caseHash, line, ...(own !== undefined && { written: own }) }
    }),
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
