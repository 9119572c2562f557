import type { CheckResult } from '../results/transcript/check-result.ts'
import type { View } from '../results/transcript/turn.ts'
import type { Scope } from '../scope/scope.ts'

/** Something that must be true. Assertions, checkpoints and stop conditions are all checks. */
export interface Check {
  type: string
  /**
   * Judges the conversation up to and including `turn` (1-based). A failure to judge is status `error`;
   * only the reason of an aborted signal is thrown. Not a promise where there is nothing to wait for. */
  run(view: View, turn: number, scope: Scope): CheckResult | Promise<CheckResult>
}
