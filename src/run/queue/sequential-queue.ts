import { type CaseEntry, isScriptTest, type Job } from '../../cases/entry.ts'
import { type Redactor, redactKey } from '../../privacy/redact.ts'
import { type Key, keyText } from '../../results/key.ts'
import type { CaseResult } from '../../results/result.ts'
import { caseText } from '../../results/stability.ts'
import type { Trials } from '../../results/statistics/pass-k.ts'
import { decide, leastFurther, type RateQuestion } from '../../results/statistics/sequential.ts'
import { classifyTrial, isSkip } from '../../results/trial.ts'
import { resultKey } from '../jobs.ts'
import type { JobQueue } from './job-queue.ts'

/** The runs of one case, or of the tests of one file, with one variant. */
interface Chain {
  jobs: Job[]
  cases: Set<Found>
  next: number
  underWay: number
}

/** What is known about a case. */
interface Found {
  chain: Chain
  /** The outcome of each run: a result that is reported twice counts once. */
  runs: Map<string, 'passed' | 'failed' | undefined>
  /** More runs would not help: the case is skipped or expected to fail. */
  closed: boolean
}

/** A case is given up after this many runs of which none could be judged. */
const patience = 3

/**
 * Plays only as many runs as it takes to decide about each case. The cases take turns, and no run is started that might
 * turn out to be unnecessary.
 */
export function sequentialQueue(jobs: Iterable<Job>, question: RateQuestion, redact: Redactor): JobQueue {
  // The names in earlier results are redacted.
  const nameOf = (key: Key) => caseText(redactKey(key, redact))
  const { chains, found } = chainJobs(jobs, nameOf)
  const isOpen = (chain: Chain) => openCases(chain, question).length > 0
  const canTake = (chain: Chain) =>
    chain.next < chain.jobs.length &&
    openCases(chain, question).some((trials) => chain.underWay < leastFurther(question, trials))
  const ready = new Set(chains.filter(canTake))
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
      const [first] = job.entries
      const chain = first && found.get(nameOf(resultKey(first, job)))?.chain
      if (chain === undefined) return
      chain.underWay -= 1
      look(chain)
    },
    add(result: CaseResult) {
      const own = found.get(nameOf(result.key))
      const unfinished = result.status === 'not_run' || result.status === 'interrupted'
      if (own === undefined || result.retrying || unfinished) return
      own.runs.set(keyText(redactKey(result.key, redact)), classifyTrial(result))
      own.closed ||= isSkip(result) || result.expectedFailure !== undefined
      look(own.chain)
    },
    // One per case: how many more it would have needed is unknown.
    left: () => chains.filter(isOpen).flatMap((chain) => chain.jobs.slice(chain.next, chain.next + 1)),
    spare: () => chains.flatMap((chain) => chain.jobs.slice(chain.next + (isOpen(chain) ? 1 : 0))),
    spared: () =>
      chains
        .filter((chain) => !isOpen(chain))
        .reduce((sum, { jobs: all, next, cases }) => sum + (all.length - next) * cases.size, 0),
  }
}

/** The chains of the jobs, and their cases by name. */
function chainJobs(
  jobs: Iterable<Job>,
  nameOf: (key: Key) => string,
): { chains: Chain[]; found: Map<string, Found> } {
  const chains = new Map<string, Chain>()
  const found = new Map<string, Found>()
  for (const job of jobs) {
    const identity = JSON.stringify([job.variant, ...chainIdentity(job)])
    const chain: Chain = chains.get(identity) ?? { jobs: [], cases: new Set(), next: 0, underWay: 0 }
    chains.set(identity, chain)
    chain.jobs.push(job)
    for (const entry of job.entries) {
      const name = nameOf(resultKey(entry, job))
      const own = found.get(name) ?? { chain, runs: new Map(), closed: false }
      // Two cases may have the same name once it is redacted.
      own.chain = chain
      found.set(name, own)
      chain.cases.add(own)
    }
  }
  return { chains: [...chains.values()], found }
}

/** Tests of one file are played together, even if only some of them are left. */
function chainIdentity({ entries }: Job): string[] {
  const [first] = entries as [CaseEntry]
  return isScriptTest(first) ? [first.file] : [first.file, first.id]
}

/** The trials of the cases about which nothing is decided yet. */
function openCases({ cases }: Chain, question: RateQuestion): Trials[] {
  return [...cases].flatMap(({ runs, closed }) => {
    const trials = countTrials([...runs.values()])
    const givenUp = trials.runs === 0 && runs.size >= patience
    return closed || givenUp || decide(question, trials) !== 'undecided' ? [] : [trials]
  })
}

function countTrials(outcomes: readonly ('passed' | 'failed' | undefined)[]): Trials {
  const judged = outcomes.filter((outcome) => outcome !== undefined)
  return { runs: judged.length, passed: judged.filter((outcome) => outcome === 'passed').length }
}
