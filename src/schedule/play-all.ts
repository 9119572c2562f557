import { setMaxListeners } from 'node:events'
import type { Job } from '../cases/entry.ts'
import { InterruptedError } from '../errors.ts'
import { notRun, playJob, type Stage } from './play-job.ts'
import { workThrough } from './pool.ts'

export interface PlayOptions {
  parallel: number
  failFast: boolean
  /** How often a failed case is played again, from its start. */
  retries: number
  /** Stops the run from outside. */
  signal: AbortSignal
}

/** The second pass. A stop from outside or `--fail-fast` aborts what is running; the rest is recorded as not run. */
export async function playAll(jobs: readonly Job[], stage: Stage, options: PlayOptions): Promise<void> {
  const stop = new AbortController()
  // Every case in flight listens to it.
  setMaxListeners(0, stop.signal)
  const follow = () => stop.abort(options.signal.reason)
  if (options.signal.aborted) follow()
  else options.signal.addEventListener('abort', follow, { once: true })

  const left = await workThrough(jobs, options.parallel, stop, async (job) => {
    for (const entry of job.entries) {
      const failed = await playUntilPassed({ ...job, entries: [entry] }, stage, options.retries, stop.signal)
      if (failed && options.failFast) stop.abort(new InterruptedError('stopped by --fail-fast'))
    }
  })
  for (const job of left) {
    for (const result of notRun(job, stop.signal.reason)) stage.emit({ type: 'case_finished', result })
  }
  options.signal.removeEventListener('abort', follow)
}

/** One case with its retries. Gives whether it failed in the end. */
async function playUntilPassed(
  job: Job,
  stage: Stage,
  defaultRetries: number,
  signal: AbortSignal,
): Promise<boolean> {
  let failed = false
  const retries = job.entries[0]?.retries ?? defaultRetries
  for (let attempt = 1; attempt <= retries + 1; attempt++) {
    for await (const result of playJob({ ...job, attempt }, stage, signal)) {
      failed = result.status === 'failed' && result.expectedFailure === undefined
      const retrying = failed && attempt <= retries && !signal.aborted
      const flaky = attempt > 1 && result.status === 'passed'
      stage.emit({
        type: 'case_finished',
        result: { ...result, ...(retrying ? { retrying } : {}), ...(flaky ? { flaky } : {}) },
      })
    }
    if (!failed || signal.aborted) break
  }
  return failed
}
