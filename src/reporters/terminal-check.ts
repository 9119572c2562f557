import type { CheckResult } from '../transcript/check-result.ts'
import { renderDiff } from './diff.ts'
import type { Inked, Pen } from './pen.ts'
import { oneLine } from './printable.ts'

/** A check as a person reads it: what it asks for, and why that is not so. */
export function checkLines(check: CheckResult, pen: Pen): Inked[] {
  if (check.status === 'passed') return [pen.line`${pen.green('✓')} ${checkText(check)}`]
  const tracked = check.gates ? '' : ' (tracked only)'
  const mark = check.status === 'failed' ? pen.red('✗') : pen.yellow('?')
  const diff =
    check.status === 'failed' && comparing.has(check.type)
      ? renderDiff(check.expected, check.actual)
      : undefined
  return [
    pen.line`${mark} ${checkText(check)}${tracked}`,
    pen.line`  └─ ${oneLine(check.reason, diff ? 120 : 300)}`,
    ...(diff ?? []).map((line) => pen.line`     ${diffLine(line, pen)}`),
  ]
}

/** Checks that lay one value beside another; of the others the reason says it all. */
const comparing = new Set(['equals', 'json_path'])

function diffLine(line: string, pen: Pen): Inked {
  if (line.startsWith('- ')) return pen.red(line)
  return line.startsWith('+ ') ? pen.green(line) : pen.dim(line)
}

/** `contains "submitted"`, `$.status = "ok"`, `tool_called "create_expense"` */
export function checkText({ type, fields = {} }: CheckResult): string {
  // A value may well be null.
  const value = fields.value === undefined ? (fields.pattern ?? fields.name) : fields.value
  const not = fields.negate === true ? 'not ' : ''
  if (type === 'json_path') {
    return oneLine(
      `${not}${String(fields.path)}${value === undefined ? ` exists: ${String(fields.exists)}` : ` = ${shown(value)}`}`,
    )
  }
  const part = fields.path === undefined ? '' : ` at ${String(fields.path)}`
  return oneLine(`${not}${type}${value === undefined ? '' : ` ${shown(value)}`}${part}`)
}

function shown(value: unknown): string {
  return oneLine(JSON.stringify(value) ?? String(value), 200)
}
