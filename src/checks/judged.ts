import type { JudgeFinding } from '../results/judge-finding.ts'
import type { Verdict } from './definition.ts'

/** What a validator or a judge found, as the verdict of a check. */
export function judged({ verdict, reason, score, details }: JudgeFinding, output: unknown): Verdict {
  return {
    status: verdict,
    reason,
    actual: output,
    ...(score !== undefined && { score }),
    ...(details !== undefined && { details }),
  }
}
