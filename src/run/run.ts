import type { CaseList } from '../cases/case-list.ts'
import type { CaseSource } from '../cases/entry.ts'
import { InterruptedError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import type { ItemList } from '../json/lazy-list.ts'
import { type Redactor, redactKey } from '../privacy/redact.ts'
import type { RedactEvent } from '../privacy/redaction.ts'
import { type Announcer, type BrokenReporter, createAnnouncer } from '../reporters/announce.ts'
import type { Reporter } from '../reporters/reporter.ts'
import type { CaseStability } from '../results/case-stability.ts'
import { type Gates, judgeGates } from '../results/gates.ts'
import { type ResultName, resultName } from '../results/key.ts'
import { type PlannedResults, ResultPlan } from '../results/planned-results.ts'
import type { CaseResult } from '../results/result.ts'
import { tallyStability } from '../results/stability.ts'
import type { ResultStore } from '../results/store.ts'
import type { ComparisonSummary, RunSummary } from '../results/summary.ts'
import { computeExitCode, missingResults } from '../results/tally.ts'
import { addUsages, type UsageByRole } from '../results/usage.ts'
import { Targets } from '../scope/targets.ts'
import { type Budget, Spending } from './budget.ts'
import { findOpenJobs, type JobList, makeJobs, planResults, resultKey } from './jobs.ts'
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
): RunPlan {
  const jobs = makeJobs(entries, variants, runs)
  return { jobs, expected: planResults(jobs, redact) }
}

/** Decides whether a run has become worse than another one. */
export interface Baseline {
  compare(results: AsyncIterable<CaseResult>, missing: number): Promise<ComparisonSummary>
}

/** Cleans up when all is played, also after an error. Returns what went wrong, if anything did. */
export interface CleanUp {
  after(results: AsyncIterable<CaseResult>): Promise<string | undefined>
}

/** What generators and reporters have spent so far, outside of any case. */
export interface SpentAroundCases {
  spent(): UsageByRole
}

/** Keys and hashes of the cases in the journal of an interrupted run. */
export interface Resumed {
  /** Cases with a result. While a case stays the same, it is not played again. */
  finished: PlannedResults
  /** Cases with a line, finished or not. Lines of cases that have changed or are gone no longer count. */
  written: PlannedResults
}

/** All that a run is played with. Everything in it was opened by the caller, who closes it again. */
export interface RunOptions extends Omit<PlayOptions, 'spending'> {
  plan: RunPlan
  source: CaseSource
  stage: Omit<Stage, 'emit' | 'source' | 'targets'>
  store: ResultStore
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
  /** How often every case is played; with gates that ask for confidence, at most. */
  runs: number
  /** In which order jobs start; without it, as they were written. */
  order?: (jobs: JobList) => JobList
  /** What must be reached, where not every run of every case must pass. */
  gates?: Gates
  budget?: Budget
  account?: SpentAroundCases
  /** The share of infrastructure errors that is tolerated, 0 to 1. */
  maxInfrastructureErrors: number
  cleanUp?: CleanUp
  baseline?: Baseline
}

export interface RunOutcome {
  summary: RunSummary
  exitCode: number
  /** The path of the results file, where there is one. */
  path: string
  broken: BrokenReporter[]
  /** What went wrong while cleaning up. */
  trouble?: string
}

/** Plays the planned cases and reports on them: start → play → clean up → sum up → report. */
export async function run(options: RunOptions): Promise<RunOutcome> {
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
  const ended = await sumUp(played, options, announcer, started)
  const { summary, exitCode } = await report(ended, options, announcer)
  const broken = await announcer.finish(plan.expected)
  return { summary, exitCode, path: store.path, broken, ...defined({ trouble }) }
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

const nothingResumed: Resumed = { finished: new ResultPlan(), written: new ResultPlan() }

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

interface Played {
  /** Why the budget ended the run, where it did. */
  overBudget: string | undefined
  sparedRuns: number
  /** With `--parallel auto`: the largest number of cases that ran at once. */
  autoParallel: number | undefined
}

async function play(queue: JobQueue, options: RunOptions, { emit, failed }: Announcer): Promise<Played> {
  const { plan, store } = options
  const spending = new Spending(options.budget)
  spending.add({ usage: options.account?.spent() ?? {} })
  if (options.resumed !== undefined && options.resumed.finished.size > 0)
    await takeOver(store.results(plan.expected, { attempts: true }), queue, spending)
  const { adaptive } = options.limit
  const targets = new Targets((givenUp) => emit({ type: 'target_given_up', ...givenUp }), adaptive?.pace)
  const stage = { ...options.stage, source: options.source, targets, emit }
  const signal = AbortSignal.any([options.signal, failed, ...(store.lost ? [store.lost] : [])])
  const overBudget = await playAll(queue, stage, { ...options, signal, spending })
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

/** Counted from the journal, not from memory: what is not on disk did not happen. */
async function sumUp(
  { overBudget, sparedRuns, autoParallel }: Played,
  options: RunOptions,
  { emit }: Announcer,
  started: number,
): Promise<RunSummary> {
  const { store, gates, plan } = options
  const tally = await store.tally(plan.expected)
  const cases = await caseStabilities(options)
  if (options.runs > 1) for (const stability of cases) emit({ type: 'case_stability', stability })
  const counted = tally.summary(performance.now() - started)
  const missing = missingResults(counted)
  return {
    ...counted,
    ...defined({
      gates: gates && judgeGates(gates, cases, { isComplete: missing === 0 }),
      sparedRuns: sparedRuns || undefined,
      comparison: await options.baseline?.compare(store.results(plan.expected), missing),
      overBudget,
      autoParallel: autoParallel || undefined,
    }),
  }
}

/** How the runs of each case came out, where there are several, or a gate must be reached. */
async function caseStabilities({ runs, gates, store, plan }: RunOptions): Promise<ItemList<CaseStability>> {
  if (runs === 1 && gates === undefined) return []
  return (await tallyStability(store.results(plan.expected, { attempts: true }))).cases()
}

async function report(
  counted: RunSummary,
  options: RunOptions,
  { emit, draft }: Announcer,
): Promise<{ summary: RunSummary; exitCode: number }> {
  const { signal, maxInfrastructureErrors, plan } = options
  const exitCode = interruptionCode(signal) ?? computeExitCode(counted, maxInfrastructureErrors)
  const finished = () => {
    const usage = addUsages(counted.usage, options.account?.spent() ?? {})
    return { type: 'run_finished' as const, summary: { ...counted, usage }, exitCode }
  }
  // Whoever stops a run is not kept waiting for a report that costs something.
  if (!signal.aborted) await draft(finished(), plan.expected)
  // Asked for again: reports by agents have added to the costs.
  const ended = finished()
  emit(ended)
  return ended
}

function interruptionCode(signal: AbortSignal): number | undefined {
  return signal.aborted && signal.reason instanceof InterruptedError ? signal.reason.exitCode : undefined
}
