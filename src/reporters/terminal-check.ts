import type { CheckResult } from '../results/transcript/check-result.ts'
import { checkDiff } from './check-diff.ts'
import { checkText } from './check-text.ts'
import type { Inked, Pen } from './pen.ts'
import { oneLine } from './printable.ts'

/** A check, and for one that did not pass its reason and a diff. */
export function checkLines(check: CheckResult, pen: Pen): Inked[] {
  if (check.status === 'passed') return [pen.line`${pen.green('✓')} ${checkText(check)}`]
  const tracked = check.gates ? '' : ' (tracked only)'
  const mark = check.status === 'failed' ? pen.red('✗') : pen.yellow('?')
  const diff = checkDiff(check)
  return [
    pen.line`${mark} ${checkText(check)}${tracked}`,
    pen.line`  └─ ${oneLine(check.reason, diff ? 120 : 300)}`,
    ...(diff ?? []).map((line) => pen.line`     ${diffInk(line, pen)}`),
  ]
}

/** A line of a diff in its colour. */
export function diffInk(line: string, pen: Pen): Inked {
  if (line.startsWith('- ')) return pen.red(line)
  return line.startsWith('+ ') ? pen.green(line) : pen.dim(line)
}
