import type { Check } from '../checks/check.ts'
import type { View } from '../results/transcript/turn.ts'
import type { Scope } from '../scope/scope.ts'
import { runCheck } from './run-check.ts'

/** A condition that ends the conversation when it is met. */
export type Condition =
  | { turns: number }
  | { check: Check }
  | { all: readonly Condition[] }
  | { any: readonly Condition[] }
  | { not: Condition }

export interface ConditionOutcome {
  /** `error`: it could not be judged, which no `not` turns around. */
  is: 'met' | 'not_met' | 'error'
  reason: string
}

export const notMet: ConditionOutcome = { is: 'not_met', reason: '' }

/** The first condition that is met, else one that could not be judged. */
export async function evaluateConditions(
  conditions: readonly Condition[],
  view: View,
  scope: Scope,
): Promise<ConditionOutcome> {
  return conditions.length === 0 ? notMet : evaluateCondition({ any: conditions }, view, scope)
}

async function evaluateCondition(condition: Condition, view: View, scope: Scope): Promise<ConditionOutcome> {
  if ('turns' in condition) {
    const is = view.turns.length >= condition.turns ? 'met' : 'not_met'
    return { is, reason: `${view.turns.length} of ${condition.turns} turns` }
  }
  if ('check' in condition) {
    const { status, reason } = await runCheck(condition.check, view, scope)
    const is = status === 'passed' ? 'met' : status === 'failed' ? 'not_met' : 'error'
    return { is, reason }
  }
  if ('not' in condition) {
    const { is, reason } = await evaluateCondition(condition.not, view, scope)
    return is === 'error' ? { is, reason } : { is: is === 'not_met' ? 'met' : 'not_met', reason }
  }
  const isAny = 'any' in condition
  const decides = isAny ? 'met' : 'not_met'
  const outcomes: ConditionOutcome[] = []
  for (const part of isAny ? condition.any : condition.all) {
    const outcome = await evaluateCondition(part, view, scope)
    // The other parts cannot change the outcome, and may take time and money.
    if (outcome.is === decides) return outcome
    outcomes.push(outcome)
  }
  const [first = notMet] = outcomes
  return outcomes.find(({ is }) => is === 'error') ?? first
}

/**
 * A condition on the number of turns, alone or as a part of `any`, is a turn limit and not a success. Returns the limit
 * and the other conditions.
 */
export function splitLimit(conditions: readonly Condition[]): { limit?: number; conditions: Condition[] } {
  const limits: number[] = []
  const rest = conditions.flatMap((condition): Condition[] => {
    const limit = readTurnLimit(condition)
    if (limit !== undefined) limits.push(limit)
    else if ('any' in condition) {
      const inner = splitLimit(condition.any)
      if (inner.limit !== undefined) limits.push(inner.limit)
      return [{ any: inner.conditions }]
    } else return [condition]
    return []
  })
  return limits.length === 0 ? { conditions: rest } : { limit: Math.min(...limits), conditions: rest }
}

/** The limit of a condition that consists of turn numbers only. */
function readTurnLimit(condition: Condition): number | undefined {
  if ('turns' in condition) return condition.turns
  const parts = 'any' in condition ? condition.any : 'all' in condition ? condition.all : []
  const limits = parts.flatMap((part) => readTurnLimit(part) ?? [])
  if (limits.length === 0 || limits.length < parts.length) return undefined
  return 'any' in condition ? Math.min(...limits) : Math.max(...limits)
}
