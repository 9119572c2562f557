import type { Key } from './key.ts'
import type { CheckResult, CheckStatus } from './transcript/check-result.ts'
import type { View } from './transcript/turn.ts'
import type { UsageByRole } from './usage.ts'

/** `interrupted` and `not_run` are not results: a resumed run plays those cases again. */
export type Status = 'passed' | 'failed' | 'skipped' | 'interrupted' | 'not_run'

/** Whose failure it is: the agent's, the infrastructure's around it, or viva's own. */
export type Fault = 'agent' | 'infrastructure' | 'viva'

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
  /** In words, as the terminal and the reports print it; empty for an ordinary end. */
  detail: string
}

/** What a report says of a failure, beside the checks. */
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
  /** Those it comes after. */
  after?: readonly string[]
  /** The turn it was reached at. */
  turn?: number
  /** Of its check when it was last looked at; `waiting` for those it comes after. */
  status: CheckStatus | 'waiting'
  /** Why it holds, or why it does not. */
  reason: string
}

/** What a script test did, beside passing or failing. */
export interface ScriptOutcome {
  /** How many assertions it made; those that did not hold are in `finals`. */
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

export interface CaseResult {
  key: Key
  /** What the case was when it was played: a resumed run plays a case that has changed since. */
  caseHash: string
  name?: string
  tags: string[]
  line: number
  status: Status
  fault?: Fault
  failure?: Failure
  termination: Termination
  /** One turn by nature: its checks are the case's own. */
  singleTurn: boolean
  view: View
  finals: CheckResult[]
  /** Checks that were not evaluated: of turns that were never sent, and final ones of what did not come to its end. */
  unevaluated: string[]
  expected?: unknown
  /** Of a script test; others are conversations. */
  script?: ScriptOutcome
  checkpoints: CheckpointResult[]
  /** Why its author expects it to fail: a failure of the agent then does not gate. */
  expectedFailure?: string
  /** It failed, and is played once more. */
  retrying?: boolean
  /** It passed, but not at the first attempt. */
  flaky?: boolean
  /** No check was written for it: it passes when the agent answers. */
  unchecked: boolean
  /** Logs of the agent's code and notes of the run. */
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

/** Stands where something was said that is not kept (`--no-transcripts`). */
export const notRecorded = '[not recorded]'
