import { percentOf } from '../../results/statistics/percent.ts'
import type { HistoryLine } from './line.ts'

/** `expected`: it failed as its author expected. `unjudged`: it could not be judged. */
export type Outcome = 'passed' | 'failed' | 'expected' | 'unjudged' | 'skipped'

/** The worst outcome of the runs. */
export function outcomeOf(line: HistoryLine): Outcome {
  if (line.failed > (line.expected_failures ?? 0)) return 'failed'
  if (line.unjudged > (line.skipped ?? 0)) return 'unjudged'
  if (line.passed > 0) return 'passed'
  return line.failed > 0 ? 'expected' : 'skipped'
}

/** Whether the agent or the infrastructure failed, so that another run makes sense. */
export function didNotPass(line: HistoryLine): boolean {
  return ['failed', 'unjudged'].includes(outcomeOf(line))
}

/** Percentage of the runs that could be judged; undefined when none could. */
export function passRateOf({ passed, failed }: HistoryLine): number | undefined {
  return passed + failed === 0 ? undefined : percentOf(passed, passed + failed)
}
