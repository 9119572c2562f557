import { InterruptedError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import type { ItemList } from '../json/lazy-list.ts'
import type { Announcer, BrokenReporter } from '../reporters/announce.ts'
import type { CarriedOver } from '../results/carried-over.ts'
import type { CaseStability } from '../results/case-stability.ts'
import { type Gates, judgeGates } from '../results/gates.ts'
import type { PlannedResults } from '../results/planned-results.ts'
import type { CaseResult } from '../results/result.ts'
import { tallyStability } from '../results/stability.ts'
import type { ResultStore } from '../results/store.ts'
import type { ComparisonSummary, RunSummary } from '../results/summary.ts'
import { computeExitCode, missingResults } from '../results/tally.ts'
import { addUsages, type UsageByRole } from '../results/usage.ts'
import type { JobPlayer } from './job-player.ts'

/** Decides whether a run has become worse than another one. */
export interface Baseline {
  compare(
    results: AsyncIterable<CaseResult>,
    missing: number,
    carriedOver?: readonly CarriedOver[],
  ): Promise<ComparisonSummary>
}

/** What generators and reporters have spent so far, outside of any case. */
interface SpentAroundCases {
  spent(): UsageByRole
}

/** What is known of a run whose results are all written. */
export interface PlayedRun {
  durationMs: number
  /** Why the budget ended the run, where it did. */
  overBudget: string | undefined
  sparedRuns: number
  /** With `--parallel auto`: the largest number of cases that ran at once. */
  autoParallel: number | undefined
}

export interface ConcludeOptions {
  /** Has all results. */
  store: ResultStore
  /** The results that must be there. */
  expected: PlannedResults
  /** How often every case is played; with gates that ask for confidence, at most. */
  runs: number
  /** What must be reached, where not every run of every case must pass. */
  gates?: Gates
  baseline?: Baseline
  account?: SpentAroundCases
  /** The share of infrastructure errors that is tolerated, 0 to 1. */
  maxInfrastructureErrors: number
  /** Has stopped the run, where it is aborted. */
  signal: AbortSignal
  /** Who plays the jobs, if not this process. */
  player?: JobPlayer
  /** Cases that did not run, because their last passes still hold. */
  carriedOver?: CarriedOver[]
  /** Whether a file that decides results was changed since the run began. */
  filesChanged?(): boolean
}

export interface ConcludedRun {
  summary: RunSummary
  exitCode: number
  broken: BrokenReporter[]
}

/** Sums up a run whose results are written, and reports on it: the end of a run, and of several that are merged. */
export async function concludeRun(
  played: PlayedRun,
  options: ConcludeOptions,
  announcer: Announcer,
): Promise<ConcludedRun> {
  const counted = await sumUp(played, options, announcer)
  const { summary, exitCode } = await report(counted, options, announcer)
  return { summary, exitCode, broken: await announcer.finish(options.expected) }
}

/** Counted from the journal, not from memory: what is not on disk did not happen. */
async function sumUp(
  { durationMs, overBudget, sparedRuns, autoParallel }: PlayedRun,
  options: ConcludeOptions,
  { emit }: Announcer,
): Promise<RunSummary> {
  const { store, expected, carriedOver } = options
  // A shard without cases has nothing that could reach a gate.
  const gates = expected.size === 0 ? undefined : options.gates
  const tally = await store.tally(expected)
  const cases = await caseStabilities(options)
  if (options.runs > 1) for (const stability of cases) emit({ type: 'case_stability', stability })
  const counted = tally.summary(durationMs)
  const missing = missingResults(counted)
  return {
    ...counted,
    ...defined({
      carriedOver: carriedOver?.length || undefined,
      gates: gates && judgeGates(gates, cases, { isComplete: missing === 0, ...defined({ carriedOver }) }),
      sparedRuns: sparedRuns || undefined,
      // Where nothing has run, there is nothing to compare.
      comparison:
        expected.size === 0
          ? undefined
          : await options.baseline?.compare(store.results(expected), missing, carriedOver),
      overBudget,
      filesChanged: options.filesChanged?.() || undefined,
      autoParallel: autoParallel || undefined,
    }),
  }
}

/** How the runs of each case came out, where there are several, or a gate must be reached. */
async function caseStabilities({
  runs,
  gates,
  store,
  expected,
}: ConcludeOptions): Promise<ItemList<CaseStability>> {
  if (runs === 1 && gates === undefined) return []
  return (await tallyStability(store.results(expected, { attempts: true }))).cases()
}

async function report(
  counted: RunSummary,
  options: ConcludeOptions,
  { emit, draft }: Announcer,
): Promise<Omit<ConcludedRun, 'broken'>> {
  const { signal, expected } = options
  const exitCode = findExitCode(counted, options)
  const finished = () => {
    const usage = addUsages(counted.usage, options.account?.spent() ?? {})
    return { type: 'run_finished' as const, summary: { ...counted, usage }, exitCode }
  }
  // Whoever stops a run is not kept waiting for a report that costs something.
  if (!signal.aborted) await draft(finished(), expected)
  // Asked for again: reports by agents have added to the costs.
  const ended = finished()
  emit(ended)
  return ended
}

function findExitCode(
  summary: RunSummary,
  { signal, expected, maxInfrastructureErrors, player }: ConcludeOptions,
): number {
  const interrupted =
    signal.aborted && signal.reason instanceof InterruptedError ? signal.reason.exitCode : undefined
  if (interrupted !== undefined) return interrupted
  // Only a shard may have nothing to do, or a run that carries everything over: elsewhere, that is an error.
  const exitCode = expected.size === 0 ? 0 : computeExitCode(summary, maxInfrastructureErrors)
  // Whoever repeats what infrastructure has ended must not take the failures so far for the whole result.
  return player?.lost.aborted && missingResults(summary) > 0 ? 3 : exitCode
}
