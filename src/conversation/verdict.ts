import { AgentError, ConfigError, InfrastructureError } from '../errors.ts'
import type { Failure, Fault, Status } from '../results/result.ts'
import type { CheckResult } from '../results/transcript/check-result.ts'
import { findReachedForbidden, findUnclearCheckpoint, listMissingCheckpoints } from './checkpoints.ts'
import type { Conversation } from './conversation.ts'
import type { Plan } from './plan.ts'
import { findEmptyTurn, wasChecked } from './smoke.ts'

export interface CaseVerdict {
  status: Status
  fault?: Fault
  failure?: Failure
}

/** `checks` are those that decide about the case. */
type Rule = (
  conversation: Conversation,
  plan: Plan,
  checks: readonly CheckResult[],
) => CaseVerdict | undefined

const knownStatuses: readonly string[] = ['passed', 'failed', 'error', 'unknown']

/**
 * The verdict and its reason. The first rule that applies decides: first certain failures of the agent, then what
 * could not be judged, then goals that the agent did not reach, then all other ends.
 */
const verdictRules: readonly Rule[] = [
  ({ termination }) => (termination.reason === 'interrupted' ? { status: 'interrupted' } : undefined),
  ({ termination }) => (termination.reason === 'not_run' ? { status: 'not_run' } : undefined),
  ({ termination }) =>
    termination.reason === 'timeout' ? failedVerdict('agent', 'timeout', termination.detail) : undefined,
  ({ termination, error }) =>
    error instanceof AgentError ? failedVerdict('agent', 'agent_error', termination.detail) : undefined,
  (_conversation, _plan, checks) => {
    const check = checks.find((result) => result.status === 'failed')
    return check && failedVerdict('agent', 'assertion', check.reason)
  },
  ({ checkpoints }) => {
    const forbidden = findReachedForbidden(checkpoints)
    return forbidden && failedVerdict('agent', 'checkpoint_failed', `checkpoint ${forbidden.id} failed`)
  },
  ({ termination }, plan) =>
    termination.reason === 'condition_met' && plan.outcomes?.conditionMet === 'fail'
      ? failedVerdict(
          'agent',
          'condition_met',
          `a condition was met that must not be met: ${termination.detail}`,
        )
      : undefined,

  ({ termination }, plan) => {
    if (termination.reason !== 'simulator_error') return undefined
    const verdict = failedVerdict('infrastructure', 'simulator_error', termination.detail)
    const decides = plan.checkpoints.length > 0 || plan.outcomes !== undefined
    return decides ? verdict : { ...verdict, status: 'skipped' }
  },
  ({ termination, error }) => {
    if (error instanceof InfrastructureError)
      return failedVerdict('infrastructure', error.kind, termination.detail)
    return error instanceof ConfigError
      ? failedVerdict('infrastructure', 'config', termination.detail)
      : undefined
  },
  ({ termination }) =>
    termination.reason === 'internal' ? failedVerdict('viva', 'internal', termination.detail) : undefined,
  ({ termination }) =>
    termination.reason === 'condition_error'
      ? failedVerdict('infrastructure', 'condition_error', termination.detail)
      : undefined,
  (_conversation, _plan, checks) => {
    const check = checks.find((result) => result.status === 'error')
    if (check === undefined) return undefined
    const isJudge = check.type === 'judge' || check.type === 'agent'
    return failedVerdict('infrastructure', isJudge ? 'judge_error' : 'script_error', check.reason)
  },
  (_conversation, _plan, checks) => {
    const check = checks.find((result) => result.status === 'unknown')
    return check && failedVerdict('infrastructure', 'judge_unknown', check.reason)
  },
  // An unknown status must not pass.
  (_conversation, _plan, checks) => {
    const check = checks.find((result) => !knownStatuses.includes(result.status))
    return check && failedVerdict('viva', 'internal', `${check.type} ended as ${String(check.status)}`)
  },
  ({ checkpoints }, plan) => {
    const unclear = findUnclearCheckpoint(checkpoints, plan.checkpoints)
    return unclear && failedVerdict('infrastructure', 'checkpoint_failed', `checkpoint ${unclear.id} failed`)
  },

  ({ termination }, plan) =>
    termination.reason === 'no_initial_input' ? noInputVerdict(termination.detail, plan) : undefined,
  ({ termination }, plan) =>
    termination.reason === 'max_turns' && plan.outcomes?.maxTurns !== 'pass'
      ? failedVerdict('agent', 'max_turns', termination.detail)
      : undefined,
  ({ termination }, plan) =>
    termination.reason === 'exhausted' && plan.outcomes?.exhausted !== 'pass'
      ? failedVerdict('agent', 'exhausted', termination.detail)
      : undefined,
  ({ checkpoints }) => {
    const missing = listMissingCheckpoints(checkpoints)
    if (missing.length === 0) return undefined
    const ids = missing.map(({ id }) => id).join(', ')
    return failedVerdict('agent', 'missing_checkpoints', `missing checkpoints: ${ids}`)
  },

  (conversation, plan) => {
    const empty = wasChecked(conversation, plan) ? undefined : findEmptyTurn(conversation)
    if (empty === undefined) return undefined
    const where = plan.singleTurn ? 'the reply' : `the reply of turn ${empty.turn.number}`
    return empty.hidden
      ? failedVerdict('infrastructure', 'judge_unknown', `${where} is empty, and the agent hides its tools`)
      : failedVerdict('agent', 'empty_reply', `${where} is empty`)
  },

  ({ termination }, plan) => {
    if (termination.reason !== 'missing_input') return undefined
    return plan.onMissingInput === 'skip'
      ? skippedVerdict(termination.detail)
      : failedVerdict('agent', 'missing_input', termination.detail)
  },
]

export function decideVerdict(conversation: Conversation, plan: Plan): CaseVerdict {
  const checks = listGatingChecks(conversation)
  for (const rule of verdictRules) {
    const verdict = rule(conversation, plan, checks)
    if (verdict) return verdict
  }
  return { status: 'passed' }
}

function listGatingChecks({ view, finals }: Conversation): CheckResult[] {
  const gating: CheckResult[] = []
  for (const turn of view.turns) for (const check of turn.checks) if (check.gates) gating.push(check)
  for (const check of finals) if (check.gates) gating.push(check)
  return gating
}

/** Nothing was asked of the agent, so it cannot have failed. */
function noInputVerdict(detail: string, plan: Plan): CaseVerdict {
  return plan.onMissingInput === 'skip'
    ? skippedVerdict(detail)
    : failedVerdict('infrastructure', 'missing_input', detail)
}

function skippedVerdict(message: string): CaseVerdict {
  return { status: 'skipped', failure: { kind: 'missing_input', message } }
}

function failedVerdict(fault: Fault, kind: string, message: string): CaseVerdict {
  return { status: 'failed', fault, failure: { kind, message } }
}
