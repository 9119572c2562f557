import { isRecord } from '../../json/json.ts'
import { shorten } from '../../text/shorten.ts'
import type { CheckResult } from './check-result.ts'

/** The criterion of a judge, as its author wrote it; undefined for checks without a judge. */
export function findCriterion({ type, fields = {} }: Pick<CheckResult, 'type' | 'fields'>): unknown {
  if (type === 'judge') return fields.criteria
  if (type !== 'agent') return undefined
  if (fields.value !== undefined) return fields.value
  const metadata = isRecord(fields.options) ? fields.options.metadata : undefined
  return isRecord(metadata) ? metadata.criteria : undefined
}

/** Leaves room for the reason on the same line. */
const longestCriterion = 140

/** `judge "It is polite": it is rude`. With several criteria, the reason already names the one it is about. */
export function reasonWithCriterion(check: Pick<CheckResult, 'type' | 'fields' | 'reason'>): string {
  const { type, fields, reason } = check
  const criterion = findCriterion(check)
  if (criterion === undefined || Array.isArray(criterion)) return reason
  const not = fields?.negate === true ? 'not ' : ''
  return `${not}${type} ${shorten(JSON.stringify(criterion) ?? '', longestCriterion)}: ${reason}`
}
