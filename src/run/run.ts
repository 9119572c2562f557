import { collect } from '../cases/collect.ts'
import type { CaseEntry, CaseSource, Job } from '../cases/entry.ts'
import { type Selection, select } from '../cases/select.ts'
import { InterruptedError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import type { Redact } from '../privacy/redact.ts'
import type { RedactEvent } from '../privacy/redaction.ts'
import { type BrokenReporter, createAnnouncer } from '../reporters/announce.ts'
import type { Reporter } from '../reporters/reporter.ts'
import type { CaseStability } from '../results/case-stability.ts'
import { type Gates, judgeGates } from '../results/gates.ts'
import { nameFrom, type ResultName } from '../results/key.ts'
import type { CaseResult } from '../results/result.ts'
import { stabilityOver } from '../results/stability.ts'
import type { ResultStore } from '../results/store.ts'
import type { ComparisonSummary, RunSummary } from '../results/summary.ts'
import { exitCodeOf, missingResults, type PlannedResults } from '../results/tally.ts'
import { addUsages, type UsageByRole } from '../results/usage.ts'
import { Targets } from '../scope/targets.ts'
import { type Budget, Spending } from './budget.ts'
import type { JobQueue } from './job-queue.ts'
import { makeJobs, openJobs, plannedResults } from './jobs.ts'
import { type PlayOptions, playAll } from './play-all.ts'
import { createQueue } from './queue.ts'
import type { Stage } from './stage.ts'
import { describeStart } from './start.ts'

export interface RunOptions extends Omit<PlayOptions, 'spending'> {
  budget?: Budget
  /** What generators and reporters have cost; reporters add to it. */
  spentAroundCases?: Readonly<UsageByRole>
  source: CaseSource
  selection: Selection
  stage: Omit<Stage, 'emit' | 'source' | 'targets'>
  connector?: string
  /** The command it was started by, as a shell takes it. */
  command?: string
  /** What an interrupted run has left, when this one goes on with it. */
  resumed?: Resumed
  /** The share of infrastructure errors that is tolerated, 0 to 1. */
  maxInfrastructureErrors: number
  /** How often every case is played; with gates that ask for confidence, at most. */
  runs: number
  /** In which order jobs begin; as they were written without. */
  order?(jobs: readonly Job[]): readonly Job[]
  /** What must be reached, where not every run of every case must pass. */
  gates?: Gates
  /** Says whether it has become worse than another run, when all results are there. */
  compare?(results: AsyncIterable<CaseResult>, missing: number): Promise<ComparisonSummary>
  /** Called when all cases are known to be valid, and something is about to be played. */
  prepare(entries: readonly CaseEntry[]): Promise<void>
  /** Called with the results when all is played. Gives what went wrong. */
  afterPlay(results: AsyncIterable<CaseResult>): Promise<string | undefined>
  /** Nothing is written before it is called. */
  openStore(plan: PlannedResults): Promise<ResultStore>
  reporters(store: ResultStore): readonly Reporter[]
  /** The caller's own code: it gets events as they were made, secrets included. */
  insiders?: readonly Reporter[]
  /** Asked for whenever something is told: scripts may ask for what has secrets nobody knew of before. */
  redact(): Redact
  /** Takes private data out of what is written and told. */
  conceal?: RedactEvent
}

/** Keys and hashes of cases. */
export interface Resumed {
  /** What has a result: as long as the case is still the same, it is not played again. */
  finished: PlannedResults
  /** What has a line, also of cases that did not end: those of other cases, or of cases as they were, do not count any more. */
  written: PlannedResults
}

export interface RunOutcome {
  summary: RunSummary
  exitCode: number
  /** Of the file with the results, where there is one. */
  path: string
  broken: BrokenReporter[]
  /** What went wrong after all was played. */
  trouble?: string
}

/** A run: collect → select → play → report. */
export async function run(options: RunOptions): Promise<RunOutcome> {
  const entries = select(await collect(options.source), options.selection)
  const jobs = makeJobs(entries, options.stage.agents.keys(), options.runs)

  await options.prepare(entries)
  const redact = options.redact()
  const plan = new Map(plannedResults(jobs, redact))
  const store = await options.openStore(plan)
  const audience = { reporters: options.reporters(store), insiders: options.insiders ?? [] }
  const { emit, draft, finish } = createAnnouncer(store, audience, options.redact, options.conceal)
  const started = performance.now()
  try {
    const { finished, written } = options.resumed ?? nothingResumed
    const open = openJobs(jobs, finished, redact)
    emit({
      type: 'run_started',
      start: describeStart(jobs, open, { ...options, leftOut: leftOut(written, plan) }),
    })
    const queue = createQueue(options.order?.(open) ?? open, options.gates, redact)
    const spending = new Spending(options.budget)
    spending.add({ usage: options.spentAroundCases ?? {} })
    if (finished.size > 0) await takeOver(store.results(plan, { attempts: true }), queue, spending)
    let overBudget: string | undefined
    let trouble: string | undefined
    try {
      const targets = new Targets((givenUp) => emit({ type: 'target_given_up', ...givenUp }))
      const stage = { ...options.stage, source: options.source, targets, emit }
      const signal = store.lost ? AbortSignal.any([options.signal, store.lost]) : options.signal
      overBudget = await playAll(queue, stage, { ...options, signal, spending })
      for (const key of plannedResults(queue.spare(), redact).keys()) plan.delete(key)
    } finally {
      trouble = await options.afterPlay(store.results(plan))
    }
    // Counted from the file, not from memory: what is not on disk did not happen.
    const tally = await store.tally(plan)
    const cases = await lookAtRuns(options, store.results(plan, { attempts: true }))
    if (options.runs > 1) for (const stability of cases) emit({ type: 'case_stability', stability })
    const counted = tally.summary(performance.now() - started)
    const missing = missingResults(counted)
    const gates = options.gates && judgeGates(options.gates, cases, { isComplete: missing === 0 })
    const summary = {
      ...counted,
      ...defined({
        gates,
        sparedRuns: queue.spared() || undefined,
        comparison: await options.compare?.(store.results(plan), missing),
        overBudget,
      }),
    }
    const exitCode = interruptionCode(options.signal) ?? exitCodeOf(summary, options.maxInfrastructureErrors)
    const finishedRun = () => {
      const usage = addUsages(counted.usage, options.spentAroundCases ?? {})
      return { type: 'run_finished' as const, summary: { ...summary, usage }, exitCode }
    }
    // Who stops a run is not kept waiting for a report before it is summed up.
    if (!options.signal.aborted) await draft(finishedRun(), plan)
    const ended = finishedRun()
    emit(ended)
    const broken = await finish(plan)
    return { summary: ended.summary, exitCode, path: store.path, broken, ...defined({ trouble }) }
  } finally {
    store.close()
  }
}

const nothingResumed: Resumed = { finished: new Map(), written: new Map() }

/** What a file has results of, and this run does not play, or not as it was then. */
function leftOut(written: PlannedResults, plan: PlannedResults): ResultName[] {
  return [...written].filter(([key, hash]) => plan.get(key) !== hash).map(([key]) => nameFrom(key))
}

/** What the run that this one goes on with has found and spent. */
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

/** What the runs of each case came to, where there are several, or something must be reached. */
async function lookAtRuns(
  { runs, gates }: RunOptions,
  results: AsyncIterable<CaseResult>,
): Promise<CaseStability[]> {
  return runs > 1 || gates !== undefined ? (await stabilityOver(results)).cases() : []
}

function interruptionCode(signal: AbortSignal): number | undefined {
  return signal.aborted && signal.reason instanceof InterruptedError ? signal.reason.exitCode : undefined
}
