import type { CaseList } from '../cases/case-list.ts'
import type { ShardOfCases } from '../cases/divide.ts'
import type { CaseSource } from '../cases/entry.ts'
import { defined } from '../json/defined.ts'
import { type Redactor, redactKey } from '../privacy/redact.ts'
import type { RedactEvent } from '../privacy/redaction.ts'
import { type Announcer, createAnnouncer } from '../reporters/announce.ts'
import type { Reporter } from '../reporters/reporter.ts'
import { type Key, type ResultName, resultName } from '../results/key.ts'
import { type PlannedResults, ResultPlan } from '../results/planned-results.ts'
import type { CaseResult } from '../results/result.ts'
import { Targets } from '../scope/targets.ts'
import { type Budget, Spending } from './budget.ts'
import { type ConcludedRun, type ConcludeOptions, concludeRun, type PlayedRun } from './conclude.ts'
import { findOpenJobs, type IsWanted, type JobList, makeJobs, planResults, resultKey } from './jobs.ts'
import { type PlayOptions, playAll } from './play-all.ts'
import { createQueue } from './queue/create-queue.ts'
import type { JobQueue } from './queue/job-queue.ts'
import type { Stage } from './stage.ts'
import { describeStart } from './start-event.ts'

/** The jobs of a run, and what its journal must hold in the end. */
export interface RunPlan {
  jobs: JobList
  /** Results that turn out not to be needed leave it. */
  expected: ResultPlan
}

export function planRun(
  entries: CaseList,
  variants: Iterable<string>,
  runs: number,
  redact: Redactor,
  isWanted?: IsWanted,
): RunPlan {
  const jobs = makeJobs(entries, variants, runs, isWanted)
  return { jobs, expected: planResults(jobs, redact) }
}

/** Cleans up when all is played, also after an error. Returns what went wrong, if anything did. */
export interface CleanUp {
  after(results: AsyncIterable<CaseResult>): Promise<string | undefined>
}

/** Keys and hashes of the cases in the journal of an interrupted run. */
export interface Resumed {
  /** Cases with a result. While a case stays the same, it is not played again. */
  finished: PlannedResults
  /** Cases with a line, finished or not. Lines of cases that have changed or are gone no longer count. */
  written: PlannedResults
  /** How many workers of a queue ended while they played this attempt of a case. */
  countWorkersLost(key: Key, hash: string): number
  /** The name that the run had in a queue. */
  queueRun?: string
}

/** All that a run is played with. Everything in it was opened by the caller, who closes it again. */
export interface RunOptions
  extends Omit<PlayOptions, 'spending' | 'flush'>,
    Omit<ConcludeOptions, 'expected'> {
  plan: RunPlan
  source: CaseSource
  stage: Omit<Stage, 'emit' | 'source' | 'targets'>
  reporters: readonly Reporter[]
  /** The caller's own code: it gets events as they were made, secrets included. */
  insiders?: readonly Reporter[]
  /** Looked up for every event: scripts may bring secrets that nobody knew before. */
  redact(): Redactor
  /** Takes private data out of everything that is written or reported. */
  redactPrivate?: RedactEvent
  connector?: string
  /** The command it was started by, as a shell takes it. */
  command?: string
  resumed?: Resumed
  /** In which order jobs start; without it, as they were written. */
  order?: (jobs: JobList) => JobList
  budget?: Budget
  cleanUp?: CleanUp
  /** Which part of a larger run it is. */
  shard?: ShardOfCases
  /** The name of the run in a queue. */
  queueRun?: string
}

export interface RunOutcome extends ConcludedRun {
  /** The path of the results file, where there is one. */
  path: string
  /** What went wrong while cleaning up. */
  trouble?: string
}

/** Plays the planned cases and reports on them: start → play → clean up → sum up → report. */
export async function run(options: RunOptions): Promise<RunOutcome> {
  refuseToJudge(options)
  const { plan, store } = options
  const audience = { reporters: options.reporters, insiders: options.insiders ?? [] }
  const announcer = createAnnouncer(store, audience, options.redact, options.redactPrivate)
  const started = performance.now()

  const { played, trouble } = await cleaningUp(options, async () => {
    try {
      return await play(startRun(options, announcer), options, announcer)
    } finally {
      announcer.flush()
    }
  })
  const durationMs = performance.now() - started
  const concluded = await concludeRun(
    { ...played, durationMs },
    { ...options, expected: plan.expected },
    announcer,
  )
  return { ...concluded, path: store.path, ...defined({ trouble }) }
}

/** Results that are not of a live run must not decide whether the agent is good enough. */
function refuseToJudge({ origin, gates, baseline }: RunOptions): void {
  if (origin === undefined || (gates === undefined && baseline === undefined)) return
  throw new Error(`a run of ${origin.kind} results has ${gates === undefined ? 'a baseline' : 'gates'}`)
}

/** Cleans up after the work, whatever came of it. No error hides another. */
async function cleaningUp(
  { cleanUp, store, plan }: RunOptions,
  work: () => Promise<Played>,
): Promise<{ played: Played; trouble: string | undefined }> {
  const after = () => cleanUp?.after(store.results(plan.expected))
  let played: Played
  try {
    played = await work()
  } catch (error) {
    const trouble = await after()
    throw trouble === undefined ? error : new AggregateError([error, new Error(trouble)], trouble)
  }
  return { played, trouble: await after() }
}

const nothingResumed: Pick<Resumed, 'finished' | 'written'> = {
  finished: new ResultPlan(),
  written: new ResultPlan(),
}

function startRun(options: RunOptions, { emit }: Announcer): JobQueue {
  const { plan, resumed: { finished, written } = nothingResumed } = options
  const redact = options.redact()
  const open = findOpenJobs(plan.jobs, finished, redact)
  const leftOut = droppedResults(written, plan.expected)
  emit({ type: 'run_started', start: describeStart(plan.jobs, open, { ...options, leftOut }) })
  return createQueue(options.order?.(open) ?? open, options.gates, redact)
}

/** Results in the file that this run does not play, or whose cases have changed since. */
function droppedResults(written: PlannedResults, expected: PlannedResults): ResultName[] {
  const dropped: ResultName[] = []
  for (const { key } of written.keys())
    if (expected.hash(key) !== written.hash(key)) dropped.push(resultName(key))
  return dropped
}

type Played = Omit<PlayedRun, 'durationMs'>

async function play(
  queue: JobQueue,
  options: RunOptions,
  { emit, failed, flush }: Announcer,
): Promise<Played> {
  const { plan, store } = options
  const spending = new Spending(options.budget)
  spending.add({ usage: options.account?.spent() ?? {} })
  if (options.resumed !== undefined && options.resumed.finished.size > 0)
    await takeOver(store.results(plan.expected, { attempts: true }), queue, spending)
  const { adaptive } = options.limit
  const targets = new Targets((givenUp) => emit({ type: 'target_given_up', ...givenUp }), adaptive?.pace)
  const stage = { ...options.stage, source: options.source, targets, emit }
  const lost = [store.lost, options.player?.lost].filter((each) => each !== undefined)
  const signal = AbortSignal.any([options.signal, failed, ...lost])
  const overBudget = await playAll(queue, stage, { ...options, signal, spending, flush })
  for (const job of queue.spare())
    for (const entry of job.entries) plan.expected.delete(redactKey(resultKey(entry, job), options.redact()))
  return { overBudget, sparedRuns: queue.spared(), autoParallel: adaptive?.peak() }
}

/** Counts what the interrupted run had found and spent. */
async function takeOver(
  results: AsyncIterable<CaseResult>,
  queue: JobQueue,
  spending: Spending,
): Promise<void> {
  for await (const result of results) {
    queue.add(result)
    spending.add(result)
  }
}
