import type { CaseResult } from './result.ts'
import { type CheckResult, fails } from './transcript/check-result.ts'

export interface FailedCheck {
  check: CheckResult
  /** The turn of the check; absent for a final check. */
  turn?: number
}

/** Every check that keeps a case from passing. */
export function listFailedChecks({ view, finals }: CaseResult): FailedCheck[] {
  return [
    ...view.turns.flatMap(({ number, checks }) =>
      checks.filter(fails).map((check) => ({ check, turn: number })),
    ),
    ...finals.filter(fails).map((check) => ({ check })),
  ]
}
