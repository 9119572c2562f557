import type { Key } from './key.ts'
import type { CheckResult, CheckStatus } from './transcript/check-result.ts'
import type { View } from './transcript/turn.ts'
import type { UsageByRole } from './usage.ts'

/** How a case ended. `interrupted` and `not_run` are not results: `--resume` runs those cases. */
export type Status = 'passed' | 'failed' | 'skipped' | 'interrupted' | 'not_run'

/** Whose fault a failure is: the agent's, the infrastructure's, or viva's own. */
export type Fault = 'agent' | 'infrastructure' | 'viva'

/**
 * Where a result comes from that does not come from a live run. `replayed`: calls were answered from a recording. `graded`:
 * a saved conversation was checked again. Neither enters the history, baselines, gates or pass rates.
 */
export const origins = ['replayed', 'graded'] as const
export type Origin = (typeof origins)[number]

/** Why the conversation ended. */
export const terminationReasons = [
  'completed',
  'goal_achieved',
  'checkpoints_reached',
  'condition_met',
  'stopped_on_failure',
  'forbidden_checkpoint',
  'max_turns',
  'exhausted',
  'missing_input',
  'no_initial_input',
  'agent_error',
  'infrastructure_error',
  'simulator_error',
  'condition_error',
  'timeout',
  'skipped',
  'interrupted',
  'not_run',
  'internal',
] as const
export type TerminationReason = (typeof terminationReasons)[number]

export interface Termination {
  reason: TerminationReason
  /** In words, for terminal and reports; empty for an ordinary end. */
  detail: string
}

/** The reason of a failure, apart from the checks. */
export interface Failure {
  kind: string
  message: string
}

export interface CheckpointResult {
  id: string
  description?: string
  /** Never together with `forbidden`. */
  required: boolean
  forbidden: boolean
  /** The checkpoints that must be reached before. */
  after?: readonly string[]
  /** The turn in which it was reached. */
  turn?: number
  /** The status of its last check; `waiting` while checkpoints before it are not reached. */
  status: CheckStatus | 'waiting'
  /** Why it was reached or not. */
  reason: string
}

/** More about a script test than whether it passed. */
export interface ScriptOutcome {
  /** The number of assertions; those that failed are in `finals`. */
  assertions: number
  subtests: Subtest[]
}

export interface Subtest {
  name: string
  status: 'passed' | 'failed' | 'skipped'
  durationMs: number
  /** Why it failed or was skipped. */
  reason?: string
}

/** The result of a case, as results files and reporters have it. */
export interface CaseResult {
  key: Key
  /** The hash of the case as it was run: a resumed run repeats a case that was edited since. */
  caseHash: string
  /** The hash of what the case gives the agent besides the messages. Absent for suites and script tests. */
  givenHash?: string
  name?: string
  tags: string[]
  line: number
  status: Status
  fault?: Fault
  failure?: Failure
  termination: Termination
  /** Whether the case can have only one turn: then the checks of the turn are those of the case. */
  singleTurn: boolean
  view: View
  finals: CheckResult[]
  /** Checks that were not evaluated: those of turns that were never sent, and final checks after an error. */
  unevaluated: string[]
  expected?: unknown
  /** Only for script tests; other results are conversations. */
  script?: ScriptOutcome
  checkpoints: CheckpointResult[]
  /** Why the author expects it to fail: then a failure of the agent does not fail the run. */
  expectedFailure?: string
  /** Absent for a result of a live run. */
  origin?: Origin
  /** It failed and is retried. */
  retrying?: boolean
  /** With a queue: how many workers ended while they played the case, before the run was interrupted. */
  workersLost?: number
  /** It passed, but not at the first attempt. */
  flaky?: boolean
  /** It has no checks: it passes when the agent answers. */
  unchecked: boolean
  /**
   * Hash of what else decided it: the agent, its tools, helpers and settings. Only for passes that may be carried over: those
   * of which viva sees everything.
   */
  fingerprint?: string
  /** Logs of the agent's code, and notes of the run. */
  logs: string[]
  sessionId: string
  usage: UsageByRole
  startedAt: string
  durationMs: number
}

/** A failure of the agent that its author knows of. */
export function isExpectedFailure({
  status,
  fault,
  expectedFailure,
}: Pick<CaseResult, 'status' | 'fault' | 'expectedFailure'>): boolean {
  return status === 'failed' && fault === 'agent' && expectedFailure !== undefined
}

/** Replaces what is not recorded with `--no-transcripts`. */
export const notRecorded = '[not recorded]'
