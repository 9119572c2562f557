import type { Job } from '../../cases/entry.ts'
import { resultToLine } from '../../results/line.ts'
import type { CaseResult } from '../../results/result.ts'
import { Targets } from '../../scope/targets.ts'
import { emptyResult, notRunResults, resultFromError } from '../empty-result.ts'
import { resultKey } from '../jobs.ts'
import { playJob } from '../play-job.ts'
import type { Stage } from '../stage.ts'
import { JobTapes } from './job-tapes.ts'
import type { JobReport, QueuedJob, RunOffer } from './messages.ts'
import type { OpenRun } from './open-run.ts'

/** What a worker has to say of a job that it has played. */
export type PlayedJob = Pick<JobReport, 'results' | 'tapes'>

/** Plays jobs from a queue as a run on this machine would play them. */
export class QueuedJobPlayer {
  readonly #run: OpenRun
  readonly #offer: RunOffer
  readonly #targets = new Targets(() => {})

  constructor(run: OpenRun, offer: RunOffer) {
    this.#run = run
    this.#offer = offer
  }

  /** Throws an error that says why the job is refused. The returned function plays it, and never throws. */
  prepare(message: QueuedJob): (signal: AbortSignal) => Promise<PlayedJob> {
    const areInFiles = this.#offer.inputs.length > 0
    if (areInFiles && message.cases.some(({ written }) => written !== undefined))
      throw new Error('it brings a case of its own, and the cases of this run are in files')
    const job = this.#run.resolve(message)
    return (signal) => this.#play(job, message, signal)
  }

  async #play(job: Job, { tapes = [] }: QueuedJob, signal: AbortSignal): Promise<PlayedJob> {
    const { redactResult, stage, redact } = this.#run
    const results: JobReport['results'] = []
    const onResult = (result: CaseResult) => void results.push(resultToLine(redactResult(result)))
    const unplayable = this.#targets.whyNotPlayed(job.variant)
    if (unplayable !== undefined) {
      for (const result of notRunResults(job, unplayable)) onResult(result)
      return { results }
    }
    const given = tapes.flatMap((data, place) => {
      const entry = job.entries[place]
      return entry === undefined ? [] : { key: resultKey(entry, job), data }
    })
    const { tapes: rules } = this.#offer
    const own = rules && new JobTapes(given, rules, (call) => redact()(call))
    const jobStage: Stage = { ...stage, targets: this.#targets, emit: () => {}, ...(own && { tapes: own }) }
    try {
      await playJob(job, jobStage, signal, onResult)
    } catch (error) {
      results.length = 0
      for (const entry of job.entries)
        onResult({ ...emptyResult(entry, resultKey(entry, job)), ...resultFromError(error) })
    }
    return { results, ...(own && { tapes: own.kept }) }
  }
}
