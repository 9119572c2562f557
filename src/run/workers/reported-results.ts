import type { CaseEntry, Job } from '../../cases/entry.ts'
import { InfrastructureError } from '../../errors.ts'
import { type Redactor, redactKey } from '../../privacy/redact.ts'
import { resultFromLine } from '../../results/line.ts'
import type { CaseResult } from '../../results/result.ts'
import { emptyResult, notRunResults, resultFromError } from '../empty-result.ts'
import { resultKey } from '../jobs.ts'
import type { OnResult } from '../stage.ts'
import type { JobReport } from './messages.ts'

/** The results, if they are of the cases of this job. A report without results has none for any of them. */
export function readReportedResults(
  { results, refused, lost }: JobReport,
  job: Job,
  redact: Redactor,
): { entry: CaseEntry; result: CaseResult }[] | undefined {
  if (refused !== undefined || lost !== undefined) return []
  const read: { entry: CaseEntry; result: CaseResult }[] = []
  for (const line of results) {
    const entry = job.entries.find(({ id }) => redact(id) === line.id)
    if (entry === undefined) return undefined
    const key = resultKey(entry, job)
    const { file, variant } = redactKey(key, redact)
    const isOwn =
      line.file === file && line.variant === variant && line.run === key.run && line.attempt === key.attempt
    if (!isOwn || line.case_hash !== entry.hash) return undefined
    const result = resultFromLine(line)
    result.key = key
    read.push({ entry, result })
  }
  const isComplete = job.entries.every((entry) => read.some((each) => each.entry === entry))
  return isComplete ? read : undefined
}

/** Why a report has no results. */
export function reportError({ lost, refused, worker }: JobReport): InfrastructureError {
  if (lost !== undefined)
    return new InfrastructureError('worker_lost', `${lost} workers ended while they played it`)
  return new InfrastructureError('queue', `worker ${worker} refused it: ${refused ?? 'it gave no reason'}`)
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
