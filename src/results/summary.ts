import type { CarriedOver } from './carried-over.ts'
import type { GateOutcome, Gates } from './gates.ts'
import type { ResultName } from './key.ts'
import type { Origin } from './result.ts'
import type { ShardChoice } from './shard.ts'
import type { UsageByRole } from './usage.ts'

/** The first line of a journal: what is about to run, and in which environment. */
export interface RunStart {
  vivaVersion: string
  timestamp: string
  planHash: string
  totalCases: number
  /** Whether some case can have more than one turn. */
  multiTurn?: boolean
  agentId: string
  connector?: string
  variants: string[]
  runs: number
  seed?: number
  /** In a resumed run: the number of results that existed already. */
  resumed?: number
  /** Those of the existing results that no longer count, because their cases were changed or are not selected. */
  leftOut?: ResultName[]
  /** With `--changed`: passes of earlier runs that still hold, so that their cases do not run. */
  carriedOver?: CarriedOver[]
  environment: { userId: string; teamId: string; locale: string }
  /** Files of script tests, with the number of their tests in this run. */
  scripts?: { file: string; tests: number }[]
  gates?: Gates
  /** Which part of a larger run it is. */
  shard?: RunShard
  /** The command for a shell, without flags that are for a single run (`-o`, `--run`). */
  command?: string
  /** Absent for a live run. */
  origin?: RunOrigin
  /** With `--queue`: the name of the run in the queue. */
  queueRun?: string
}

/** What the results of a run were made from, where that was not a live agent alone. */
export interface RunOrigin {
  kind: Origin
  /** The recording or results file. */
  from: string
  /** The layers that went out again (`--live`). */
  live?: string[]
}

/** Which part of a larger run a run is. What it says of the larger run is the same in all its parts. */
export interface RunShard
  extends ShardChoice,
    Pick<RunStart, 'planHash' | 'totalCases' | 'multiTurn' | 'agentId' | 'scripts'> {
  /** Hash of which case is in which shard. */
  division: string
}

/** The last line: counts, recomputed from the lines before it. */
export interface RunSummary extends Counts {
  total: number
  /** With `--changed`: cases that were carried over, once for each variant. They are in no other count. */
  carriedOver?: number
  flaky: number
  /** The turns of the results that count. */
  totalTurns: number
  durationMs: number
  /** The results of the gates, if there are any. */
  gates?: GateOutcome[]
  /** With `--runs auto`: the runs that were not needed. */
  sparedRuns?: number
  /** The result of the comparison with another run. */
  comparison?: ComparisonSummary
  /** Why no further case was started, when the budget was used up. */
  overBudget?: string
  /** A file that decides results was changed while they were played: no pass of the run is carried over. */
  filesChanged?: true
  /** With `--parallel auto`: the largest number of cases that ran at once. */
  autoParallel?: number
  /** The counts of each variant, if there are several. */
  variants?: Record<string, Counts>
}

/** Whether the run is worse than another one. */
export interface ComparisonSummary {
  baseline: string
  verdict: CompareVerdict
  text: string
}

/**
 * `regression`: the data show that it became worse. `improvement`: better. `not enough runs`: something looks worse, but
 * that may be chance. `no regression`: nothing looks worse. The others are not answers: the run is incomplete, or no case
 * could be compared.
 */
export const compareVerdicts = [
  'regression',
  'improvement',
  'not enough runs',
  'no regression',
  'incomplete',
  'nothing compared',
] as const
export type CompareVerdict = (typeof compareVerdicts)[number]

/** Whether a verdict is good or bad news; `unclear` if it is no answer. */
export function verdictTone(verdict: CompareVerdict): 'good' | 'bad' | 'unclear' {
  if (verdict === 'regression') return 'bad'
  return verdict === 'improvement' || verdict === 'no regression' ? 'good' : 'unclear'
}

export interface Counts {
  /** Set if the results are not of a live run: then no rate is computed. */
  origin?: Origin
  passed: number
  failed: number
  skipped: number
  /** Failures that their author expects: they do not fail the run. */
  expectedFailures: number
  interrupted: number
  notRun: number
  unchecked: number
  infrastructureErrors: number
  /** Skipped because the simulator failed, so that they could not be judged. */
  infrastructureSkips: number
  /** Failures because of bugs in viva. */
  vivaFailures: number
  /** The usage of all attempts, including those that do not count. */
  usage: UsageByRole
}
