/** JSON.parse takes 100,000 levels but JSON.stringify overflows near 5,000: what comes in is held well below. */
export const deepestData = 500

/** Whether objects and arrays are nested deeper than that. */
export function isTooDeep(value: unknown, limit = deepestData): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return false
}
