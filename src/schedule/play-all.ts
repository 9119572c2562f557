import { setMaxListeners } from 'node:events'
import type { CaseEntry, Job } from '../cases/entry.ts'
import { InterruptedError } from '../errors.ts'
import { notRun } from './empty-result.ts'
import { playJob } from './play-job.ts'
import { workThrough } from './pool.ts'
import type { Stage } from './stage.ts'

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

  const onFailure = () => {
    if (options.failFast) stop.abort(new InterruptedError('stopped at the first failure'))
  }
  const left = await workThrough(jobs, options.parallel, stop, (job) =>
    playUntilPassed(job, stage, { retries: options.retries, onFailure, signal: stop.signal }),
  )
  for (const job of left) {
    for (const result of notRun(job, stop.signal.reason)) stage.emit({ type: 'case_finished', result })
  }
  options.signal.removeEventListener('abort', follow)
}

interface Retrying {
  retries: number
  /** A case has failed in the end. */
  onFailure(): void
  signal: AbortSignal
}

/** One job with its retries: what has failed is played again, as often as its author or the flag says. */
async function playUntilPassed(
  job: Job,
  stage: Stage,
  { retries, onFailure, signal }: Retrying,
): Promise<void> {
  let open = job.entries
  for (let attempt = 1; open.length > 0 && !signal.aborted; attempt++) {
    const again = new Map<string, CaseEntry>()
    await playJob({ ...job, entries: open, attempt }, stage, signal, (result, entry) => {
      const failed = result.status === 'failed' && result.expectedFailure === undefined
      const retrying = failed && attempt <= (entry.retries ?? retries) && !signal.aborted
      if (retrying) again.set(entry.id, entry)
      const flaky = attempt > 1 && result.status === 'passed'
      stage.emit({
        type: 'case_finished',
        result: { ...result, ...(retrying ? { retrying } : {}), ...(flaky ? { flaky } : {}) },
      })
      if (failed && !retrying) onFailure()
    })
    open = [...again.values()]
  }
}
