import { cut } from '../text/shorten.ts'

const note = 'more characters are in the results file)'

/** The same value with no text in it longer than that; what is cut off is counted. */
export function cutStrings<T>(value: T, limit: number): T {
  return cutValue(value, limit) as T
}

/** Whether a text in it was cut. */
export function hasCutStrings(value: unknown): boolean {
  return JSON.stringify(value)?.includes(`${note}"`) ?? false
}

function cutValue(value: unknown, limit: number): unknown {
  if (typeof value === 'string') {
    if (value.length <= limit) return value
    const kept = cut(value, limit)
    return `${kept}… (${value.length - kept.length} ${note}`
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => cutValue(item, limit))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutValue(item, limit)]))
}
