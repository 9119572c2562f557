import type { CheckpointResult, Termination } from '../results/result.ts'
import { fails } from '../results/transcript/check-result.ts'
import type { View } from '../results/transcript/turn.ts'
import { findReachedForbidden, listMissingCheckpoints } from './checkpoints.ts'
import type { ConditionOutcome } from './conditions.ts'
import type { MessageSource, NextStep, Plan, UserMessage } from './plan.ts'

/** The state after a turn. */
export interface AfterTurn {
  plan: Plan
  view: View
  checkpoints: readonly CheckpointResult[]
  condition: ConditionOutcome
  /** Those who would speak next. */
  wanting: readonly MessageSource[]
}

/** `go_on` ends the search: later rules must not stop the conversation. */
type Decision = Termination | 'go_on' | undefined

const completed: Termination = { reason: 'completed', detail: '' }

function goalTermination(reasoning = ''): Termination {
  return { reason: 'goal_achieved', detail: reasoning }
}

/**
 * Whether the conversation ends after the last turn. The first rule that decides wins, so the order is the
 * precedence. (An agent that fails or times out has ended it before.)
 */
const rulesAfterTurn: readonly ((after: AfterTurn) => Decision)[] = [
  ({ plan, view }) =>
    plan.stopOnFailure && view.turns.at(-1)?.checks.some(fails)
      ? { reason: 'stopped_on_failure', detail: `stopped at turn ${view.turns.length}: a check failed` }
      : undefined,
  ({ checkpoints }) => {
    const forbidden = findReachedForbidden(checkpoints)
    if (forbidden === undefined) return undefined
    const { id, turn } = forbidden
    const detail = `forbidden checkpoint ${id} was reached at turn ${turn}`
    return { reason: 'forbidden_checkpoint', detail }
  },
  ({ condition }) =>
    condition.is === 'error'
      ? { reason: 'condition_error', detail: `a condition could not be judged: ${condition.reason}` }
      : undefined,
  ({ condition }) =>
    condition.is === 'met' ? { reason: 'condition_met', detail: condition.reason } : undefined,
  ({ view }) => {
    const { last, reasoning } = view.turns.at(-1)?.simulated ?? {}
    return last ? goalTermination(reasoning) : undefined
  },
  // No source is asked for a message that could not be sent.
  ({ plan, view, wanting }) =>
    hasReachedLimit(plan, view) && (plan.outcomes !== undefined || wanting.some(isAuthored))
      ? maxTurnsTermination(plan.maxTurns)
      : undefined,
  ({ wanting }) => (wanting.some(isAuthored) ? 'go_on' : undefined),
  ({ plan }) => (plan.singleTurn ? completed : undefined),
  ({ checkpoints }) =>
    checkpoints.some(({ required }) => required) && listMissingCheckpoints(checkpoints).length === 0
      ? { reason: 'checkpoints_reached', detail: '' }
      : undefined,
  ({ plan, wanting }) =>
    plan.outcomes !== undefined && wanting.length === 0
      ? { reason: 'exhausted', detail: 'there is nothing left to say, and no condition was met' }
      : undefined,
  ({ view, wanting }) => (wanting.length === 0 && !isAsking(view) ? completed : undefined),
  // A simulator is still asked: it may say that its goal is achieved.
  ({ plan, view, wanting }) =>
    hasReachedLimit(plan, view) && !wanting.some((source) => source.kind === 'simulator')
      ? maxTurnsTermination(plan.maxTurns)
      : undefined,
]

/** Messages of the author are always sent, whether written in advance or by follow-up code. */
function isAuthored({ kind }: MessageSource): boolean {
  return kind === 'author' || kind === 'follow_up'
}

/** After a refusal it is the user's turn, but the agent asked nothing, so the conversation may end. */
function isAsking({ turns }: View): boolean {
  const { awaiting, reason } = turns.at(-1)?.awaiting ?? {}
  return awaiting === true && reason !== 'request_refused'
}

export function decideAfterTurn(after: AfterTurn): Termination | undefined {
  for (const rule of rulesAfterTurn) {
    const decision = rule(after)
    if (decision === 'go_on') return undefined
    if (decision !== undefined) return decision
  }
  return undefined
}

/** The state before a turn; `next` is undefined if no source has a message. */
interface BeforeTurn {
  plan: Plan
  view: View
  next: NextStep | undefined
}

/** The next message, or why there is none. The first rule that decides wins. */
const rulesBeforeTurn: readonly ((before: BeforeTurn) => UserMessage | Termination | undefined)[] = [
  ({ next }) => (next && 'end' in next ? goalTermination(next.reasoning) : undefined),
  ({ plan, view, next }) =>
    hasReachedLimit(plan, view) && next ? maxTurnsTermination(plan.maxTurns) : undefined,
  ({ next }) => (next && 'say' in next ? next : undefined),
  ({ view }) =>
    view.turns.length === 0 ? { reason: 'no_initial_input', detail: 'no initial input' } : undefined,
  ({ plan, view }) => (plan.onMissingInput === 'end' || !isAsking(view) ? completed : undefined),
]

export function decideBeforeTurn(before: BeforeTurn): UserMessage | Termination {
  for (const rule of rulesBeforeTurn) {
    const decision = rule(before)
    if (decision) return decision
  }
  return { reason: 'missing_input', detail: 'Agent awaiting input, no next turn defined' }
}

function hasReachedLimit(plan: Plan, view: View): boolean {
  return view.turns.length >= plan.maxTurns
}

function maxTurnsTermination(turns: number): Termination {
  return { reason: 'max_turns', detail: `max turns (${turns}) exceeded` }
}
