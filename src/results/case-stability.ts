import type { Key } from './key.ts'
import type { Origin } from './result.ts'
import type { Stability } from './stability-class.ts'
import type { Spread } from './statistics/spread.ts'
import type { Interval } from './statistics/wilson.ts'

/** The results of all runs of one case with one variant. */
export interface CaseStability extends Pick<Key, 'file' | 'id' | 'variant'> {
  name?: string
  /** Set if the runs are not live: then no rate is computed, and no class of stability. */
  origin?: Origin
  /** The number of results, whatever their status. */
  runs: number
  passed: number
  /** Failures that are the agent's fault, including those that the author expects. */
  failed: number
  /** How many of the failures the author expects. */
  expectedFailures: number
  /** The author expects the case to fail: no gate applies, and it is in no figure of the suite. */
  known: boolean
  /** Failures that are not the agent's fault, skips, and runs that did not finish: they are in no rate. */
  unjudged: number
  /** How many of the unjudged runs are infrastructure errors. */
  infrastructureErrors: number
  /** How many of the unjudged runs are skips without any error. */
  skipped: number
  /** Runs that passed, but not at the first attempt. */
  flaky: number
  /** Percentage of the runs that could be judged; absent when none could, or they are not live. */
  passRate?: number
  /** Wilson's 95 % interval of the pass rate, in percent. */
  interval?: Interval
  /** The share of the most frequent output, see `consistencyMethod`. */
  consistency?: number
  /** Absent when there is no pass rate. */
  stability?: Stability
  /** The number of the agent's failures of each kind. */
  failureKinds: Record<string, number>
  /** Durations of the runs that finished. */
  durations: Spread & { p50: number; p95: number; p99: number }
  /** Of all runs and attempts together; absent when no tokens were reported. */
  tokens?: number
  /** Of all runs and attempts together; absent when unknown. */
  cost?: number
}
