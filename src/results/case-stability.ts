import type { Key } from './key.ts'
import type { Stability } from './stability-class.ts'
import type { Spread } from './statistics/spread.ts'
import type { Interval } from './statistics/wilson.ts'

/** What the runs of one case against one variant came to. */
export interface CaseStability extends Pick<Key, 'file' | 'id' | 'variant'> {
  name?: string
  /** Results there are, whatever became of them. */
  runs: number
  passed: number
  /** By the agent's fault, also where its author knows of it. */
  failed: number
  /** Of the failures, those that their author expects. */
  expectedFailures: number
  /** Its author expects it to fail: it is behind no gate, and in no figure of the suite. */
  known: boolean
  /** Failures that are not the agent's, skips, and what did not finish: they are in no rate. */
  unjudged: number
  /** Of these, infrastructure errors. */
  infrastructureErrors: number
  /** Of these, skips that are nobody's fault. */
  skipped: number
  /** Passed, but not at the first attempt. */
  flaky: number
  /** Percent of what could be judged; absent when nothing could. */
  passRate?: number
  /** Wilson's 95 % interval of it, in percent. */
  interval?: Interval
  /** The share of the output that came most often, see `consistencyMethod`. */
  consistency?: number
  /** Absent when nothing could be judged. */
  stability?: Stability
  /** How often it failed for which kind of reason, by the agent's fault. */
  failureKinds: Record<string, number>
  /** Of the runs that came to an end. */
  durations: Spread & { p50: number; p95: number; p99: number }
  /** Of all runs and attempts together; absent when nobody told. */
  tokens?: number
  /** Of all runs and attempts together; absent when it is not known. */
  cost?: number
}
