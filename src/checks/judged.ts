import { defined } from '../json/defined.ts'
import type { JudgeFinding } from '../results/judge-finding.ts'
import type { CheckVerdict } from './definition.ts'

/** What a validator or a judge found, as the verdict of a check. */
export function findingVerdict(
  { verdict, reason, score, details }: JudgeFinding,
  output: unknown,
): CheckVerdict {
  return { status: verdict, reason, actual: output, ...defined({ score, details }) }
}
