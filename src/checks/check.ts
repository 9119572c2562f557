import type { CheckResult } from '../results/transcript/check-result.ts'
import type { View } from '../results/transcript/turn.ts'
import type { Scope } from '../scope/scope.ts'

/** One thing that must hold. Assertions, checkpoints and stop conditions are all checks. */
export interface Check {
  type: string
  /**
   * Judges the conversation as it stands after `turn` (1-based). What breaks is status `error`;
   * it throws only the reason of an aborted signal. */
  run(view: View, turn: number, scope: Scope): Promise<CheckResult>
}
