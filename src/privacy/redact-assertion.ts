import { isRecord } from '../json/json.ts'
import type { Data } from '../results/transcript/message.ts'
import type { Redactor } from './redact.ts'

/** Redacts a check as its author wrote it, and the checks inside a group. Names of fields stay. */
export function redactAssertion(fields: Data, redact: Redactor): Data {
  const { path } = fields
  const entries = Object.entries(fields).map(([name, item]) => {
    if (name === 'value') return [name, redactAt(path, item, redact)]
    if (name === 'assertions' && Array.isArray(item))
      return [name, item.map((each) => (isRecord(each) ? redactAssertion(each, redact) : redact(each)))]
    return [name, redact(item)]
  })
  return Object.fromEntries(entries)
}

/** Redacts a value that a check found or expected at a path as if it were in a field of that name. */
export function redactAt(path: unknown, value: unknown, redact: Redactor): unknown {
  const names = typeof path === 'string' ? (path.match(/[\p{L}_][\p{L}\p{M}\p{N}_-]*/gu) ?? []) : []
  const placed = names.reduceRight((inner: unknown, name) => ({ [name]: inner }), value)
  const redacted: unknown = redact(placed)
  if (redacted === placed) return value
  return names.reduce((outer: unknown, _) => (isRecord(outer) ? Object.values(outer)[0] : outer), redacted)
}
