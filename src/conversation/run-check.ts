import type { Check } from '../checks/check.ts'
import { InfrastructureError, TimeoutError } from '../errors.ts'
import type { CheckResult } from '../results/transcript/check-result.ts'
import type { View } from '../results/transcript/turn.ts'
import { untilAborted } from '../scope/deadline.ts'
import type { Scope } from '../scope/scope.ts'

/**
 * Runs a check, checkpoint or condition after a turn. The agent has already answered, so a timeout here is not its
 * failure.
 */
export function runCheck(check: Check, view: View, scope: Scope): CheckResult | Promise<CheckResult> {
  if (scope.stop.aborted) return blameCheck(scope.stop.reason)
  const judged = check.run(view, view.turns.length, scope)
  return judged instanceof Promise ? untilAborted(judged, scope.stop).catch(blameCheck) : judged
}

async function blameCheck(error: unknown): Promise<never> {
  if (!(error instanceof TimeoutError)) throw error
  throw new InfrastructureError('timeout', `${error.message}, while a check was running`, { cause: error })
}

/** Adds each result to `results` at once, so that earlier results are kept if a later check throws. */
export async function runChecks(
  checks: readonly Check[],
  results: CheckResult[],
  view: View,
  scope: Scope,
): Promise<void> {
  for (const check of checks) {
    const result = runCheck(check, view, scope)
    results.push(result instanceof Promise ? await result : result)
  }
}
