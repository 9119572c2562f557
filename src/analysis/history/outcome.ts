import { toPercent } from '../../results/statistics/percent.ts'
import type { HistoryLine } from './line.ts'

/** `expected`: it failed as its author said. `unjudged`: nobody can say how it would have ended. */
export type HistoryOutcome = 'passed' | 'failed' | 'expected' | 'unjudged' | 'skipped'

/** The worst of its runs. */
export function historyOutcome(line: HistoryLine): HistoryOutcome {
  if (line.failed > (line.expected_failures ?? 0)) return 'failed'
  if (line.unjudged > (line.skipped ?? 0)) return 'unjudged'
  if (line.passed > 0) return 'passed'
  return line.failed > 0 ? 'expected' : 'skipped'
}

/** Whether the agent or the infrastructure failed, so that another run makes sense. */
export function didNotPass(line: HistoryLine): boolean {
  return ['failed', 'unjudged'].includes(historyOutcome(line))
}

/** Percentage of the runs that could be judged; undefined when none could. */
export function linePassRate({ passed, failed }: HistoryLine): number | undefined {
  return passed + failed === 0 ? undefined : toPercent(passed, passed + failed)
}
