/** JSON.parse accepts 100,000 levels, but JSON.stringify overflows near 5,000: the limit is well below that. */
export const deepestData = 500

/** Cases are written by hand; deeper than this is a mistake or an attack. */
export const deepestCase = 200

/** Whether objects and arrays are nested deeper than `deepestData`. */
export function isTooDeep(value: unknown, levels = deepestData): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  // Every answer is looked at: this creates no lists.
  for (const key in value) if (isTooDeep((value as Record<string, unknown>)[key], levels - 1)) return true
  return false
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** JSON with the keys of every object in order, so that equal values are equal text. */
export function sortedJson(value: unknown, indent?: number): string {
  const text = toSortedJson(value) ?? ''
  return indent === undefined || text === '' ? text : JSON.stringify(JSON.parse(text), undefined, indent)
}

/** Builds the text directly: sorted copies of all objects would cost three times as much. */
function toSortedJson(value: unknown): string | undefined {
  if (Array.isArray(value)) return `[${Array.from(value, (item) => toSortedJson(item) ?? 'null').join(',')}]`
  // A date, for example, says itself what it is in JSON.
  if (!isRecord(value) || typeof value.toJSON === 'function') return JSON.stringify(value)
  let text = ''
  for (const key of sortedKeys(value)) {
    const part = toSortedJson(value[key])
    if (part !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${part}`
  }
  return `{${text}}`
}

/** Keys that are numbers come first, in their order, as in any JavaScript object. */
function sortedKeys(value: object): string[] {
  const keys = Object.keys(value)
  const names = keys.findIndex((key) => !/^\d+$/.test(key))
  return names <= 0
    ? names === 0
      ? keys.sort()
      : keys
    : [...keys.slice(0, names), ...keys.slice(names).sort()]
}

/** Text as it is, compact JSON for all else, nothing for `undefined`. */
export function textOrJson(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** Undefined where the text is not JSON: no JSON text means undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Counts the keys of a value and of everything in it. */
export function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countKeys(item), 0)
  let count = 0
  for (const key in value) count += 1 + countKeys((value as Record<string, unknown>)[key])
  return count
}
