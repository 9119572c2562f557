import type { GateOutcome, Gates } from './gates.ts'
import type { ResultName } from './key.ts'
import type { UsageByRole } from './usage.ts'

/** The first line of a journal: what is about to be played, and as whom. */
export interface RunStart {
  vivaVersion: string
  timestamp: string
  planHash: string
  totalCases: number
  /** Some case can have more than one turn. */
  multiTurn?: boolean
  agentId: string
  connector?: string
  variants: string[]
  runs: number
  seed?: number
  /** How many results an interrupted run had left, when this one goes on with it. */
  resumed?: number
  /** Of these results, those that do not count any more: their cases were changed, or are not played now. */
  leftOut?: ResultName[]
  environment: { userId: string; teamId: string; locale: string }
  /** Files of script tests, with how many of their tests are played. */
  scripts?: { file: string; tests: number }[]
  /** What had to be reached. */
  gates?: Gates
  /** The command that made it, as a shell takes it, without what holds for one run only (`-o`, `--run`). */
  command?: string
}

/** The last line: counts of what happened, recomputed from the lines between. */
export interface RunSummary extends Counts {
  total: number
  flaky: number
  /** Of the results that count. */
  totalTurns: number
  durationMs: number
  /** What came of the gates, where there were some. */
  gates?: GateOutcome[]
  /** With a number of runs that depends on what they come to: those that were not needed. */
  sparedRuns?: number
  /** What came of the comparison with another run. */
  comparison?: ComparisonSummary
  /** Why no further case was started: what it was allowed to spend is spent. */
  overBudget?: string
  /** Of each variant, where there are several. */
  variants?: Record<string, Counts>
}

/** Whether it has become worse than another run. */
export interface ComparisonSummary {
  baseline: string
  verdict: CompareVerdict
  text: string
}

/**
 * `regression`: the data say that it has become worse. `improvement`: better. `not enough runs`: something looks worse, and
 * might as well be chance. `no regression`: nothing looks worse. The others are no answers: a run that is not complete, or
 * without a case that could be compared.
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

export interface Counts {
  passed: number
  failed: number
  skipped: number
  /** Failed as their author said they would: they do not gate. */
  expectedFailures: number
  interrupted: number
  notRun: number
  unchecked: number
  infrastructureErrors: number
  /** Skipped because the simulator broke: nobody can say how they would have ended. */
  infrastructureSkips: number
  /** Bugs of ours. */
  vivaFailures: number
  /** Of all attempts, also those that did not count in the end. */
  usage: UsageByRole
}
