/** JSON.parse accepts 100,000 levels, but JSON.stringify overflows near 5,000: the limit is well below that. */
export const deepestData = 500

/** Whether objects and arrays are nested deeper than `limit`. */
export function isTooDeep(value: unknown, limit = deepestData): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return false
}

/** Whether two JSON values are equal. The order of keys does not matter, and an `undefined` key counts as absent. */
export function deepEqual(left: unknown, right: unknown): boolean {
  // A list of pairs instead of recursion, so that deep data cannot overflow the stack.
  const pairs: [unknown, unknown][] = [[left, right]]
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair
    if (Object.is(a, b) || a === b) continue
    if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) return false
      for (let index = 0; index < a.length; index++) pairs.push([a[index], b[index]])
    } else if (isRecord(a) && isRecord(b)) {
      const keys = definedKeys(a)
      if (keys.length !== definedKeys(b).length) return false
      for (const key of keys) {
        if (!Object.hasOwn(b, key)) return false
        pairs.push([a[key], b[key]])
      }
    } else {
      return false
    }
  }
  return true
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function definedKeys(record: Record<string, unknown>): string[] {
  return Object.keys(record).filter((key) => record[key] !== undefined)
}

/** JSON with sorted keys, so that equal values have equal text. */
export function sortedJson(value: unknown, indent?: number): string {
  const inOrder = (_: string, member: unknown) => (isRecord(member) ? withSortedKeys(member) : member)
  return JSON.stringify(value, inOrder, indent) ?? ''
}

function withSortedKeys(record: Record<string, unknown>): Record<string, unknown> {
  const keys = Object.keys(record).sort()
  return Object.fromEntries(keys.map((key) => [key, record[key]]))
}

/** Undefined if the text is not JSON; no valid JSON has that value. */
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
  const values = Object.values(value)
  return values.reduce((sum: number, item) => sum + countKeys(item), values.length)
}
