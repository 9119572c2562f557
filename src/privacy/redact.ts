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

/** Whether any text in a value, or the name of a field, passes its test. */
export function someText(
  value: unknown,
  test: (text: string) => boolean,
  testName: (name: string) => boolean,
): boolean {
  if (typeof value === 'string') return test(value)
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (someText(value[index], test, testName)) return true
    return false
  }
  // Unlike `Object.keys`, this creates no list.
  for (const name in value)
    if (testName(name) || someText((value as Record<string, unknown>)[name], test, testName)) return true
  return false
}

/** Maps the items of a list, or the names and values of fields. A value in which nothing changes is not copied. */
export function mapParts(
  value: unknown,
  mapName: (name: string) => string,
  mapPart: (part: unknown, name?: string) => unknown,
): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? mapItems(value, mapPart) : mapFields(value, mapName, mapPart)
}

function mapItems(items: readonly unknown[], mapPart: (part: unknown) => unknown): readonly unknown[] {
  let changed: unknown[] | undefined
  for (const [index, item] of items.entries()) {
    const mapped = mapPart(item)
    if (mapped === item) continue
    changed ??= [...items]
    changed[index] = mapped
  }
  return changed ?? items
}

function mapFields(
  value: object,
  mapName: (name: string) => string,
  mapPart: (part: unknown, name?: string) => unknown,
): object {
  const names = Object.keys(value)
  const part = (name: string) => (value as Record<string, unknown>)[name]
  let changed: [string, unknown][] | undefined
  for (const [index, name] of names.entries()) {
    const mapped: [string, unknown] = [mapName(name), mapPart(part(name), name)]
    if (changed === undefined && (mapped[0] !== name || mapped[1] !== part(name)))
      changed = names.slice(0, index).map((before) => [before, part(before)])
    changed?.push(mapped)
  }
  return changed === undefined ? value : Object.fromEntries(changed)
}
