import { isRecord } from '../../json/json.ts'
import { shorten } from '../../text/shorten.ts'
import type { CheckResult } from './check-result.ts'

/** What a judge was asked about, as its author wrote it; undefined for checks that no judge decides. */
export function criterionOf({ type, fields = {} }: Pick<CheckResult, 'type' | 'fields'>): unknown {
  if (type === 'judge') return fields.criteria
  if (type !== 'agent') return undefined
  if (fields.value !== undefined) return fields.value
  const metadata = isRecord(fields.options) ? fields.options.metadata : undefined
  return isRecord(metadata) ? metadata.criteria : undefined
}

/** Short enough that the reason still fits on the line. */
const longestCriterion = 140

/** `judge "It is polite": it is rude`. Of several criteria the reason names the one that it is about. */
export function reasonWithCriterion(check: Pick<CheckResult, 'type' | 'fields' | 'reason'>): string {
  const { type, fields, reason } = check
  const criterion = criterionOf(check)
  if (criterion === undefined || Array.isArray(criterion)) return reason
  const not = fields?.negate === true ? 'not ' : ''
  return `${not}${type} ${shorten(JSON.stringify(criterion) ?? '', longestCriterion)}: ${reason}`
}
