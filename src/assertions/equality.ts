/** Whether two JSON values are the same, key order aside. An absent key and an `undefined` one are the same. */
export function deepEqual(left: unknown, right: unknown): boolean {
  // A list of pairs instead of recursion: no depth of data can overflow the stack.
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
