import type { Termination } from '../results/result.ts'
import type { View } from '../transcript/turn.ts'
import type { MessageSource, Plan } from './plan.ts'

/** How things stand after a turn. */
export interface Standing {
  plan: Plan
  view: View
  /** Those who would speak next. */
  wanting: readonly MessageSource[]
}

/** `go_on` ends the search: a rule below it may not stop the conversation. */
type Decision = Termination | 'go_on' | undefined

const completed: Termination = { reason: 'completed', detail: '' }

/**
 * Whether the conversation ends after the turn just taken. The first rule that decides wins, so the order
 * is the precedence. (An agent that fails or runs out of time has ended it before.)
 */
const rules: readonly ((standing: Standing) => Decision)[] = [
  ({ plan, view }) =>
    plan.stopOnFailure && view.turns.at(-1)?.checks.some((check) => check.gates && check.status !== 'passed')
      ? { reason: 'stopped_on_failure', detail: `stopped at turn ${view.turns.length}: a check failed` }
      : undefined,
  ({ wanting }) => (wanting.some((source) => source.kind === 'author') ? 'go_on' : undefined),
  ({ plan }) => (plan.singleTurn ? completed : undefined),
  ({ view, wanting }) => (wanting.length === 0 && !isAsking(view) ? completed : undefined),
  ({ plan, view }) =>
    view.turns.length >= plan.maxTurns
      ? { reason: 'max_turns', detail: `max turns (${plan.maxTurns}) exceeded` }
      : undefined,
]

/** After a refusal the word is the user's, but nothing was asked: a conversation may well end there. */
function isAsking({ turns }: View): boolean {
  const { awaiting, reason } = turns.at(-1)?.awaiting ?? {}
  return awaiting === true && reason !== 'request_refused'
}

export function stopAfterTurn(standing: Standing): Termination | undefined {
  for (const rule of rules) {
    const decision = rule(standing)
    if (decision === 'go_on') return undefined
    if (decision !== undefined) return decision
  }
  return undefined
}

/** Nobody has a next message. */
export function stopForMissingInput(plan: Plan, view: View): Termination {
  if (view.turns.length === 0) return { reason: 'no_initial_input', detail: 'no initial input' }
  if (plan.onMissingInput === 'end') return completed
  return { reason: 'missing_input', detail: 'Agent awaiting input, no next turn defined' }
}
