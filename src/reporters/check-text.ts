import type { CheckResult } from '../results/transcript/check-result.ts'
import { findCriterion } from '../results/transcript/criterion.ts'
import { oneLine } from './printable.ts'

type Written = Pick<CheckResult, 'type' | 'fields'>

/** Criteria are sentences: they get more room than other values. */
const longestCriterion = 300

/** A check as its author wrote it: `contains "submitted"`, `$.status = "ok"`, `judge "It is polite"`. */
export function checkText({ type, fields = {} }: Written): string {
  const not = fields.negate === true ? 'not ' : ''
  const criterion = findCriterion({ type, fields })
  if (criterion !== undefined) return `${not}${type} ${formatCheckValue(criterion, longestCriterion)}`
  // The value may be null.
  const value = fields.value === undefined ? (fields.pattern ?? fields.name) : fields.value
  if (type === 'json_path') {
    return oneLine(
      `${not}${String(fields.path)}${value === undefined ? ` exists: ${String(fields.exists)}` : ` = ${formatCheckValue(value)}`}`,
    )
  }
  const by = fields.by === 'user' ? ' by the user' : ''
  const part = fields.path === undefined ? '' : ` at ${String(fields.path)}`
  return oneLine(`${not}${type}${value === undefined ? '' : ` ${formatCheckValue(value)}`}${by}${part}`)
}

/** A check and its result on one line. */
export function checkOutcome(check: Written & Pick<CheckResult, 'reason'>): string {
  return `${checkText(check)}: ${check.reason}`
}

function formatCheckValue(value: unknown, longest = 200): string {
  return oneLine(JSON.stringify(value) ?? String(value), longest)
}
