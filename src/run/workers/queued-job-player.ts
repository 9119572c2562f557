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

/** No case of the run can be played on this worker, because the endpoints of its agents do not answer here. */
export class UnableError extends Error {}

/** Plays jobs from a queue as a run on this machine would play them. */
export class QueuedJobPlayer {
  readonly #run: OpenRun
  readonly #offer: RunOffer
  readonly #targets = new Targets(() => {})

  constructor(run: OpenRun, offer: RunOffer) {
    this.#run = run
    this.#offer = offer
  }

  /** Throws an error that says why the job is refused. The returned function plays it, and throws only `UnableError`. */
  prepare(message: QueuedJob): (signal: AbortSignal) => Promise<PlayedJob> {
    if (!this.#offer.sendsCases && message.cases.some(({ written }) => written !== undefined))
      throw new Error('it brings a case of its own, and the cases of this run are in files')
    const job = this.#run.resolve(message)
    return (signal) => this.#play(job, message, signal)
  }

  async #play(job: Job, { tapes = [] }: QueuedJob, signal: AbortSignal): Promise<PlayedJob> {
    const { redactResult, stage, redact } = this.#run
    const results: JobReport['results'] = []
    const keep = (result: CaseResult, place: number) => {
      results[place] = resultToLine(redactResult(result))
    }
    const unplayable = this.#targets.whyNotPlayed(job.variant)
    if (unplayable !== undefined) {
      // Another worker may be able to.
      if (this.#offer.variants.every((variant) => this.#targets.whyNotPlayed(variant) !== undefined))
        throw new UnableError(unplayable.message)
      for (const [place, result] of notRunResults(job, unplayable).entries()) keep(result, place)
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
      await playJob(job, jobStage, signal, (result, entry) => keep(result, job.entries.indexOf(entry)))
    } catch (error) {
      for (const [place, entry] of job.entries.entries())
        keep({ ...emptyResult(entry, resultKey(entry, job)), ...resultFromError(error) }, place)
    }
    return { results, ...(own && { tapes: own.kept }) }
  }
}
