import { setMaxListeners } from 'node:events'
import type { Job } from '../cases/entry.ts'
import { InterruptedError } from '../errors.ts'
import { keyText } from '../results/key.ts'
import type { PlannedResults } from '../results/tally.ts'
import { keyOf } from './jobs.ts'
import { notRun, playJob, type Stage } from './play-job.ts'
import { workThrough } from './pool.ts'

export interface PlayOptions {
  parallel: number
  failFast: boolean
  /** What an interrupted run has results for: key and hash; a case that is still the same is not played again. */
  finished: PlannedResults
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

  const isFinished = (job: Job) =>
    job.entries.every((entry) => options.finished.get(keyText(keyOf(entry, job))) === entry.hash)
  const open = jobs.filter((job) => !isFinished(job))
  const left = await workThrough(open, options.parallel, stop, async (job) => {
    for await (const result of playJob(job, stage, stop.signal)) {
      stage.emit({ type: 'case_finished', result })
      const failed = options.failFast && result.status === 'failed'
      if (failed) stop.abort(new InterruptedError('stopped by --fail-fast'))
    }
  })
  for (const job of left) {
    for (const result of notRun(job, stop.signal.reason)) stage.emit({ type: 'case_finished', result })
  }
  options.signal.removeEventListener('abort', follow)
}
