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
  return mapParts(value, redactText, (part) => redactTexts(part, redactText))
}

/** Maps the items of a list, or the names and values of fields. A value in which nothing changes is not copied. */
export function mapParts(
  value: unknown,
  mapName: (name: string) => string,
  mapPart: (part: unknown, name?: string) => unknown,
): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => mapPart(item))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const entries = Object.entries(value)
  const mapped = entries.map(([name, part]) => [mapName(name), mapPart(part, name)] as const)
  const isSame = mapped.every(
    ([name, part], index) => name === entries[index]?.[0] && part === entries[index]?.[1],
  )
  return isSame ? value : Object.fromEntries(mapped)
}
