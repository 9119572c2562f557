import type { CaseEntry, Job } from '../../cases/entry.ts'
import { InfrastructureError } from '../../errors.ts'
import { resultFromLine } from '../../results/line.ts'
import type { CaseResult } from '../../results/result.ts'
import { emptyResult, notRunResults, resultFromError } from '../empty-result.ts'
import { resultKey } from '../jobs.ts'
import type { OnResult } from '../stage.ts'
import type { JobReport } from './messages.ts'

/** A report as it was read. */
export interface ReadReport extends JobReport {
  /** Why nothing else of it could be read. */
  unreadable?: string
}

/** A job that so many workers did not survive is not given to another one. */
export const mostLost = 2

export function workerLostError(lost: number): InfrastructureError {
  return new InfrastructureError('worker_lost', `${lost} workers ended while they played it`)
}

/** The results of a report, or why it has none. Those of a job are in the order of its cases. */
export function readReportedResults(
  report: ReadReport,
  job: Job,
): { entry: CaseEntry; result: CaseResult }[] | InfrastructureError {
  const { worker, results, lost, refused } = report
  if (lost !== undefined) return workerLostError(lost)
  if (refused !== undefined)
    return new InfrastructureError('queue', `worker ${worker} refused it: ${refused}`)
  const problem = report.unreadable ?? findForeign(results, job)
  if (problem !== undefined)
    return new InfrastructureError('queue', `the report of worker ${worker} cannot be read: ${problem}`)
  return job.entries.flatMap((entry, place) => {
    const line = results[place]
    return line === undefined
      ? []
      : [{ entry, result: { ...resultFromLine(line), key: resultKey(entry, job) } }]
  })
}

/** Names may be redacted in another way on the worker: cases are known by their place, and by their hash. */
function findForeign(results: JobReport['results'], job: Job): string | undefined {
  if (results.length !== job.entries.length)
    return `it has ${results.length} results, and the job has ${job.entries.length} cases`
  const place = results.findIndex(
    ({ case_hash, run, attempt }, at) =>
      case_hash !== job.entries[at]?.hash || run !== job.run || attempt !== job.attempt,
  )
  return place === -1 ? undefined : `result ${place + 1} is of another case`
}

/** Reports an error as the result of each of its cases. */
export function reportFailed(job: Job, error: unknown, onResult: OnResult): void {
  for (const entry of job.entries)
    onResult({ ...emptyResult(entry, resultKey(entry, job)), ...resultFromError(error) }, entry)
}

export function reportNotRun(job: Job, why: unknown, onResult: OnResult): void {
  for (const [place, result] of notRunResults(job, why).entries()) {
    const entry = job.entries[place]
    if (entry !== undefined) onResult(result, entry)
  }
}
