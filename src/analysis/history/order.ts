import { createHash } from 'node:crypto'
import type { Job } from '../../cases/entry.ts'
import { pickItems } from '../../json/lazy-list.ts'
import { type Redactor, redactKey } from '../../privacy/redact.ts'
import { caseText } from '../../results/stability.ts'
import { type JobList, resultKey } from '../../run/jobs.ts'
import type { Order } from './orders.ts'
import { didNotPass } from './outcome.ts'
import type { History } from './read.ts'
import { usualDuration } from './usual-times.ts'

interface Ordering {
  /** Undefined when there is none yet. */
  history: History | undefined
  /** For a random order. */
  seed: number
  redact: Redactor
}

/** Sorts jobs by the order in which they start. Jobs of equal rank keep their order. */
export function orderJobs(jobs: JobList, order: Order, ordering: Ordering): JobList {
  const ranks = Array.from(jobs, (job) => rankJob(job, order, ordering))
  const places = [...ranks.keys()].sort((left, right) => compare(ranks[left] ?? 0, ranks[right] ?? 0))
  return pickItems(jobs, places)
}

/** The lowest rank comes first. */
function rankJob(job: Job, order: Order, { history, seed, redact }: Ordering): number | string {
  const keys = job.entries.map((entry) => redactKey(resultKey(entry, job), redact))
  // By its name and not its position, so that a selection of cases has the same order as all of them.
  if (order === 'random')
    return createHash('sha256')
      .update(`${seed} ${keys.map(caseText).join()}`)
      .digest('hex')
  const known = keys.flatMap((key) => history?.cases.get(caseText(key)) ?? [])
  // A case that was never run may have any result.
  if (known.length < keys.length) return Number.NEGATIVE_INFINITY
  if (order === 'failed-first') return known.some(({ newest }) => didNotPass(newest)) ? 0 : 1
  return -known.reduce((sum, each) => sum + usualDuration(each), 0)
}

function compare<T extends number | string>(left: T, right: T): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}
