import type { Key } from '../results/key.ts'

/** Replaces secrets in a value. The shape stays; a value without secrets is returned as it is, not copied. */
export type Redactor = <T>(value: T) => T

/** A key as the journal has it. */
export function redactKey(key: Key, redact: Redactor): Key {
  return { ...key, file: redact(key.file), id: redact(key.id), variant: redact(key.variant) }
}

/** Puts every text in a value through `redactText`, names of fields included. */
export function redactTexts(value: unknown, redactText: (text: string) => string): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => redactTexts(item, redactText))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const entries = Object.entries(value)
  const redacted = entries.map(([key, item]) => [redactText(key), redactTexts(item, redactText)] as const)
  const changed = redacted.some(
    ([key, item], index) => key !== entries[index]?.[0] || item !== entries[index]?.[1],
  )
  return changed ? Object.fromEntries(redacted) : value
}
