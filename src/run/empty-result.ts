import type { CaseEntry, Job } from '../cases/entry.ts'
import { terminationByError } from '../conversation/termination-by-error.ts'
import { errorMessage, InfrastructureError } from '../errors.ts'
import type { Key } from '../results/key.ts'
import type { CaseResult } from '../results/result.ts'
import { resultKey } from './jobs.ts'

/** The result of a case that an error ended. */
export function resultFromError(
  error: unknown,
): Partial<CaseResult> & Pick<CaseResult, 'status' | 'termination'> {
  const termination = terminationByError(error)
  const { reason } = termination
  if (reason === 'interrupted' || reason === 'not_run') return { status: reason, termination }
  const infrastructure = termination.reason !== 'internal'
  const kind =
    error instanceof InfrastructureError ? error.kind : infrastructure ? termination.reason : 'internal'
  return {
    status: 'failed',
    fault: infrastructure ? 'infrastructure' : 'viva',
    failure: { kind, message: termination.detail },
    termination,
  }
}

/** The result of a case before it is run. */
export function emptyResult(entry: CaseEntry, key: Key): CaseResult {
  const result: CaseResult = {
    key,
    caseHash: entry.hash,
    tags: entry.tags,
    line: entry.line,
    status: 'not_run',
    termination: { reason: 'not_run', detail: '' },
    singleTurn: true,
    view: { history: [], turns: [] },
    finals: [],
    unevaluated: [],
    checkpoints: [],
    unchecked: entry.unchecked ?? false,
    logs: [],
    sessionId: '',
    usage: {},
    startedAt: new Date().toISOString(),
    durationMs: 0,
  }
  if (entry.name !== undefined) result.name = entry.name
  return result
}

/** Results for the cases that the run did not start. */
export function notRunResults(job: Job, why: unknown): CaseResult[] {
  const termination = { reason: 'not_run', detail: errorMessage(why) } as const
  return job.entries.map((entry) => ({ ...emptyResult(entry, resultKey(entry, job)), termination }))
}
