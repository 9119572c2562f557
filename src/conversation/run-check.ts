import type { Check } from '../checks/check.ts'
import { InfrastructureError, TimeoutError } from '../errors.ts'
import type { CheckResult } from '../results/transcript/check-result.ts'
import type { View } from '../results/transcript/turn.ts'
import { untilAborted } from '../scope/deadline.ts'
import type { Scope } from '../scope/scope.ts'

/**
 * A check, checkpoint or condition after a turn. The agent has answered: time that runs out while something else is
 * asked is not its failure.
 */
export async function runCheck(check: Check, view: View, scope: Scope): Promise<CheckResult> {
  try {
    return await untilAborted(check.run(view, view.turns.length, scope), scope.signal)
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error
    throw new InfrastructureError('timeout', `${error.message}, while a check was at work`, { cause: error })
  }
}

/** One after another into `results`, so that those which were judged are there when a later one breaks off. */
export async function runChecks(
  checks: readonly Check[],
  results: CheckResult[],
  view: View,
  scope: Scope,
): Promise<void> {
  for (const check of checks) results.push(await runCheck(check, view, scope))
}
