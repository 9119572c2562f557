import type { Check } from '../assertions/check.ts'
import { untilAborted } from '../scope/deadline.ts'
import type { Scope } from '../scope/scope.ts'
import type { View } from '../transcript/turn.ts'

/** Ends the conversation when it is met. A number of turns is a limit: it says that nothing better came first. */
export type Condition =
  | { turns: number }
  | { check: Check }
  | { all: readonly Condition[] }
  | { any: readonly Condition[] }
  | { not: Condition }

export interface Outcome {
  /** `limit`: only a number of turns is what is met. `error`: it could not be judged, which no `not` turns around. */
  is: 'met' | 'limit' | 'not_met' | 'error'
  reason: string
  /** Of a limit that is met. */
  turns?: number
}

/** The first condition that is met, a real one before a limit, an error before both. */
export async function meetConditions(
  conditions: readonly Condition[],
  view: View,
  scope: Scope,
): Promise<Outcome> {
  return conditions.length === 0 ? { is: 'not_met', reason: '' } : meet({ any: conditions }, view, scope)
}

async function meet(condition: Condition, view: View, scope: Scope): Promise<Outcome> {
  if ('turns' in condition) {
    const { turns } = condition
    const is = view.turns.length >= turns ? 'limit' : 'not_met'
    return { is, reason: `${view.turns.length} of ${turns} turns`, turns }
  }
  if ('check' in condition) {
    const { check } = condition
    const { status, reason } = await untilAborted(check.run(view, view.turns.length, scope), scope.signal)
    const is = status === 'passed' ? 'met' : status === 'failed' ? 'not_met' : 'error'
    return { is, reason }
  }
  if ('not' in condition) {
    const { is, reason } = await meet(condition.not, view, scope)
    return is === 'error' ? { is, reason } : { is: is === 'not_met' ? 'met' : 'not_met', reason }
  }
  const isAny = 'any' in condition
  const outcomes: Outcome[] = []
  for (const part of isAny ? condition.any : condition.all) outcomes.push(await meet(part, view, scope))
  // A part that decides is found first: what the others would say changes nothing.
  const order: Outcome['is'][] = isAny
    ? ['met', 'error', 'limit', 'not_met']
    : ['not_met', 'error', 'met', 'limit']
  const [first] = order.flatMap((is) => outcomes.filter((outcome) => outcome.is === is))
  return first ?? { is: 'not_met', reason: '' }
}

/** The largest number of turns that alone ends the conversation: it is meant as its limit. */
export function turnLimit(conditions: readonly Condition[]): number | undefined {
  const limits = conditions.flatMap((condition): number[] => {
    if ('turns' in condition) return [condition.turns]
    return 'any' in condition ? [turnLimit(condition.any) ?? []].flat() : []
  })
  return limits.length === 0 ? undefined : Math.max(...limits)
}
