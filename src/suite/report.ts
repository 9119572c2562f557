import { defined } from '../json/defined.ts'
import type { GateOutcome } from '../results/gates.ts'
import type { Origin } from '../results/result.ts'
import type { ComparisonSummary, RunSummary } from '../results/summary.ts'
import { agentFailures } from '../results/tally.ts'
import { totalCost, type UsageByRole } from '../results/usage.ts'
import type { EvalTestResult } from './results.ts'

/** The result of running a suite. */
export interface EvalReport<Input = unknown, Output = unknown> {
  summary: EvalSummary
  /** A case each, in the order of the cases. Empty when they were streamed. */
  results: EvalTestResult<Input, Output>[]
  /** As the command would end: 0 passed, 1 some case failed, 2 nothing was judged, 3 only infrastructure errors stood in the way. */
  exitCode: number
  /** Reporters that broke: their reports are missing. */
  brokenReporters: { name: string; message: string }[]
  /** What should be known, though it stopped nothing: calls that were not in the recording, an incomplete line. */
  notices: string[]
  startedAt: string
  durationMs: number
  agentDescription?: string
}

/** The figures of a run. */
export interface EvalSummary {
  /** Cases, however often each was played. */
  totalTests: number
  /** Of the plays. */
  total: number
  passed: number
  failed: number
  skipped: number
  /** The run was stopped first. */
  notRun: number
  /** Of the failures, those of the infrastructure around the agent. */
  infrastructureErrors: number
  /** Of the failures, bugs of viva. */
  vivaFailures: number
  /** Passed, but not at the first attempt. */
  flaky: number
  /** Passed, and nothing was checked but that the agent answers. */
  unchecked: number
  /** `replayed`, if the results are those of a recording, which say nothing new about the agent. */
  origin?: Origin
  /** Of what could be judged, 0 to 1; absent when nothing could, and in a replay. */
  passRate?: number
  /** Of the cases that have one. */
  avgScore?: number
  usage: UsageByRole
  /** In US dollars; absent when some of it is not known. */
  cost?: number
  /** Whether what `gates` ask for was reached. */
  gates?: GateOutcome[]
  /** With `iterations: 'auto'`: the plays that were not needed. */
  sparedIterations?: number
  /** How it compares with the `baseline`. */
  comparison?: ComparisonSummary
  /** Why no further case was started, when the `budget` was spent. */
  overBudget?: string
}

export function summarizeRun(
  summary: RunSummary,
  totalTests: number,
  scores: { sum: number; count: number },
): EvalSummary {
  const { total, passed, failed, skipped, infrastructureErrors, vivaFailures, flaky, unchecked } = summary
  const { origin } = summary
  const counts = { total, passed, failed, skipped, infrastructureErrors, vivaFailures, flaky, unchecked }
  const judged = origin === undefined ? passed + agentFailures(summary) : 0
  return {
    totalTests,
    ...counts,
    notRun: summary.notRun + summary.interrupted,
    usage: summary.usage,
    ...defined({
      origin,
      passRate: judged > 0 ? passed / judged : undefined,
      avgScore: scores.count > 0 ? Math.round((scores.sum / scores.count) * 100) / 100 : undefined,
      cost: totalCost(summary.usage),
      gates: summary.gates,
      sparedIterations: summary.sparedRuns,
      comparison: summary.comparison,
      overBudget: summary.overBudget,
    }),
  }
}

/** Of whatever suite it is. */
// biome-ignore lint/suspicious/noExplicitAny: inputs and outputs are only shown
export type AnyReport = EvalReport<any, any>
