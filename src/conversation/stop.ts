import type { Termination } from '../results/result.ts'
import type { View } from '../transcript/turn.ts'
import type { Plan } from './plan.ts'

/** `go_on` ends the search: a rule below it may not stop the conversation. */
type Decision = Termination | 'go_on' | undefined

/**
 * Whether the conversation ends after the turn just taken. The first rule that decides wins, so the order
 * is the precedence. (An agent that fails or runs out of time has ended it before.)
 */
const rules: readonly ((plan: Plan, view: View) => Decision)[] = [
  (plan, view) =>
    plan.stopOnFailure && view.turns.at(-1)?.checks.some((check) => check.gates && check.status !== 'passed')
      ? { reason: 'stopped_on_failure', detail: `stopped at turn ${view.turns.length}: a check failed` }
      : undefined,
  (plan) => (plan.singleTurn ? { reason: 'completed', detail: '' } : undefined),
  (plan, view) => (view.turns.length < plan.authorTurns ? 'go_on' : undefined),
  (_, view) => (view.turns.at(-1)?.awaiting.awaiting ? undefined : { reason: 'completed', detail: '' }),
  (plan, view) =>
    view.turns.length >= plan.maxTurns
      ? { reason: 'max_turns', detail: `max turns (${plan.maxTurns}) exceeded` }
      : undefined,
]

export function stopAfterTurn(plan: Plan, view: View): Termination | undefined {
  for (const rule of rules) {
    const decision = rule(plan, view)
    if (decision === 'go_on') return undefined
    if (decision !== undefined) return decision
  }
  return undefined
}

/** Nobody has a next message. */
export function stopForMissingInput(plan: Plan, view: View): Termination {
  if (view.turns.length === 0) return { reason: 'no_initial_input', detail: 'no initial input' }
  if (plan.onMissingInput === 'end') return { reason: 'completed', detail: '' }
  return { reason: 'missing_input', detail: 'Agent awaiting input, no next turn defined' }
}
