import { defined } from '../json/defined.ts'
import type { JudgeFinding } from '../results/judge-finding.ts'
import type { CheckVerdict, Subject } from './definition.ts'
import { disclosureHint } from './disclosure-hint.ts'
import { listToolCalls } from './tool-calls.ts'

/** What a validator or a judge found, as the verdict of a check. One that cannot decide may miss the tool calls. */
export function findingVerdict(
  { verdict, reason, score, details }: JudgeFinding,
  { output, view, scope }: Subject,
): CheckVerdict {
  const { disclosure } = scope.context
  const isShort = verdict === 'unknown' && listToolCalls(view.turns).hidden && disclosure?.tools !== undefined
  const hint = isShort ? `. It was shown no tool calls${disclosureHint(disclosure.tools)}` : ''
  return { status: verdict, reason: `${reason}${hint}`, actual: output, ...defined({ score, details }) }
}
