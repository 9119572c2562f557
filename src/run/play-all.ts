import { setMaxListeners } from 'node:events'
import type { CaseEntry, Job } from '../cases/entry.ts'
import { InterruptedError } from '../errors.ts'
import type { CaseResult } from '../results/result.ts'
import type { RunOrigin } from '../results/summary.ts'
import type { Spending } from './budget.ts'
import { notRunResults } from './empty-result.ts'
import type { JobPlayer } from './job-player.ts'
import { playJob } from './play-job.ts'
import type { ConcurrencyLimit } from './queue/concurrency-limit.ts'
import type { JobQueue } from './queue/job-queue.ts'
import { runQueue } from './queue/run-queue.ts'
import type { OnResult, Stage } from './stage.ts'

export interface PlayOptions {
  /** How many jobs run at once. */
  limit: ConcurrencyLimit
  failFast: boolean
  /** How often a failed case is played again from its start. */
  retries: number
  /** Stops the run from outside. */
  signal: AbortSignal
  /** What was spent, including by the run that is resumed. */
  spending: Spending
  /** Absent for a live run. */
  origin?: RunOrigin
  /** What decides the result of a case besides the case itself; undefined where viva cannot see everything. */
  fingerprint?(entry: CaseEntry, variant: string): string | undefined
  /** Who plays the jobs, if not this process. */
  player?: JobPlayer
  /** Writes all results that were reported so far to disk. */
  flush(): void
}

/**
 * The second pass. A stop from outside or `--fail-fast` aborts running cases; when the budget is used up, they may finish.
 * The rest is recorded as not run. Returns the reason if the budget ended the run.
 */
export async function playAll(
  queue: JobQueue,
  stage: Stage,
  options: PlayOptions,
): Promise<string | undefined> {
  const stop = new AbortController()
  // Every running case adds a listener.
  setMaxListeners(0, stop.signal)
  const follow = () => stop.abort(options.signal.reason)
  if (options.signal.aborted) follow()
  else options.signal.addEventListener('abort', follow, { once: true })

  const onFailure = () => {
    if (options.failFast) stop.abort(new InterruptedError('stopped at the first failure'))
  }
  const { spending, origin, player } = options
  let isWithdrawn = false
  let finished = 0
  const onResult = (result: CaseResult, entry?: CaseEntry) => {
    if (origin !== undefined) result.origin = origin.kind
    if (entry !== undefined && mayBeCarriedOver(result))
      addFingerprint(result, options.fingerprint?.(entry, result.key.variant))
    spending.add(result)
    queue.add(result)
    if (!result.retrying && result.status !== 'not_run' && result.status !== 'interrupted') finished += 1
    stage.emit({ type: 'case_finished', result })
  }
  const withinBudget = {
    ...queue,
    take() {
      const over = spending.over()
      if (over !== undefined) player?.withdraw(over)
      return over === undefined ? queue.take() : undefined
    },
  }
  player?.start({
    signal: stop.signal,
    emit: stage.emit,
    countFinished: () => finished,
    flush: options.flush,
  })
  const retrying: Retrying = {
    play(job, report) {
      if (player === undefined) return playJob(job, stage, stop.signal, report)
      return player.play(job, (result, entry) => {
        isWithdrawn ||= result.status === 'not_run'
        report(result, entry)
      })
    },
    retries: options.retries,
    onResult,
    onFailure,
    mayGoOn: () => !stop.signal.aborted && spending.over() === undefined,
    signal: stop.signal,
  }
  await runQueue(withinBudget, options.limit, stop, (job) => playUntilPassed(job, stage, retrying))
  // Before anything that takes long: hooks and reports need no workers.
  await player?.close()
  const left = queue.left()
  const isComplete = left.length === 0 && !isWithdrawn
  const over = stop.signal.aborted || isComplete ? undefined : spending.over()
  for (const job of left) {
    for (const result of notRunResults(job, over ?? stop.signal.reason))
      stage.emit({ type: 'case_finished', result })
  }
  options.signal.removeEventListener('abort', follow)
  return over
}

/** Anything else is a reason to run the case again. */
function mayBeCarriedOver({ status, flaky, unchecked, expectedFailure, origin }: CaseResult): boolean {
  return status === 'passed' && !flaky && !unchecked && expectedFailure === undefined && origin === undefined
}

function addFingerprint(result: CaseResult, fingerprint: string | undefined): void {
  if (fingerprint !== undefined) result.fingerprint = fingerprint
}

interface Retrying {
  play(job: Job, onResult: OnResult): Promise<void>
  retries: number
  onResult(result: CaseResult, entry?: CaseEntry): void
  /** Whether another attempt may be started. */
  mayGoOn(): boolean
  /** Called when a case has failed after all retries. */
  onFailure(): void
  signal: AbortSignal
}

/** Plays a job with its retries: as many as the case or the flag allows. */
async function playUntilPassed(
  job: Job,
  stage: Stage,
  { play, retries, onResult, onFailure, mayGoOn, signal }: Retrying,
): Promise<void> {
  const unplayable = stage.targets.whyNotPlayed(job.variant)
  if (unplayable !== undefined) {
    for (const result of notRunResults(job, unplayable)) onResult(result)
    return
  }
  let open = job.entries
  for (let attempt = 1; open.length > 0 && !signal.aborted; attempt++) {
    const again = new Map<string, CaseEntry>()
    const tried = attempt === job.attempt && open === job.entries ? job : { ...job, entries: open, attempt }
    await play(tried, (result, entry) => {
      const failed = result.status === 'failed' && result.expectedFailure === undefined
      // Grading again would say nothing new.
      const most = stage.conversations === undefined ? (entry.retries ?? retries) : 0
      // It has ended two workers, and would end others.
      const isPoisonous = result.failure?.kind === 'worker_lost'
      const canRetry =
        attempt <= most && !isPoisonous && stage.tapes?.has({ ...result.key, attempt: attempt + 1 }) !== false
      const retrying = failed && canRetry && mayGoOn()
      if (retrying) again.set(entry.id, entry)
      const flaky = attempt > 1 && result.status === 'passed'
      onResult(retrying ? { ...result, retrying } : flaky ? { ...result, flaky } : result, entry)
      if (failed && !retrying) onFailure()
    })
    open = [...again.values()]
  }
}
