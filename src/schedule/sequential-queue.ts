import type { CaseEntry, Job } from '../cases/entry.ts'
import type { CaseResult } from '../results/result.ts'
import { caseText } from '../results/stability.ts'
import type { Trials } from '../statistics/pass-k.ts'
import { decide, leastFurther, type Question } from '../statistics/sequential.ts'
import type { JobQueue } from './job-queue.ts'
import { keyOf } from './jobs.ts'

/** The runs of the same cases against one variant. */
interface Chain {
  jobs: Job[]
  next: number
  underWay: number
  /** By case. */
  trials: Map<string, Trials>
}

/** No more are played than it takes to decide about their cases, which take turns. No run is started that might turn out to be one too many. */
export function sequentialQueue(jobs: readonly Job[], question: Question): JobQueue {
  const chains = new Map<string, Chain>()
  const byCase = new Map<string, Chain>()
  for (const job of jobs) {
    const name = JSON.stringify([job.variant, job.entries.map(({ file, id }) => [file, id])])
    const chain: Chain = chains.get(name) ?? { jobs: [], next: 0, underWay: 0, trials: new Map() }
    chains.set(name, chain)
    chain.jobs.push(job)
    for (const entry of job.entries) byCase.set(nameOf(entry, job), chain)
  }
  const open = ({ jobs: [first], trials }: Chain): Trials[] =>
    (first?.entries ?? [])
      .map((entry) => trials.get(nameOf(entry, first as Job)) ?? nothing)
      .filter((each) => each.runs === 0 || decide(question, each) === 'undecided')
  const canTake = (chain: Chain) =>
    chain.next < chain.jobs.length &&
    open(chain).some((each) => chain.underWay < leastFurther(question, each))
  const ready = new Set(chains.values())
  const look = (chain: Chain) => {
    ready.delete(chain)
    if (canTake(chain)) ready.add(chain)
  }
  return {
    take() {
      const [chain] = ready
      if (chain === undefined) return undefined
      const job = chain.jobs[chain.next]
      chain.next += 1
      chain.underWay += 1
      look(chain)
      return job
    },
    done(job) {
      const chain = job.entries[0] && byCase.get(nameOf(job.entries[0], job))
      if (chain === undefined) return
      chain.underWay -= 1
      look(chain)
    },
    add(result: CaseResult) {
      const name = caseText(result.key)
      const chain = byCase.get(name)
      const passed = result.status === 'passed'
      if (chain === undefined || result.retrying || !(passed || result.fault === 'agent')) return
      const { runs, passed: before } = chain.trials.get(name) ?? nothing
      chain.trials.set(name, { runs: runs + 1, passed: before + (passed ? 1 : 0) })
      look(chain)
    },
    // One a case: how many more it would have taken, nobody knows.
    left: () =>
      [...chains.values()].flatMap((chain) =>
        open(chain).length > 0 ? chain.jobs.slice(chain.next, chain.next + 1) : [],
      ),
    spare: () =>
      [...chains.values()].flatMap((chain) =>
        chain.jobs.slice(chain.next + (open(chain).length > 0 ? 1 : 0)),
      ),
  }
}

const nothing: Trials = { runs: 0, passed: 0 }

function nameOf(entry: CaseEntry, job: Job): string {
  return caseText(keyOf(entry, job))
}
