import { cutText } from '../text/shorten.ts'

const note = 'more characters are in the results file)'

/** Shortens every text in a value that is longer than `limit`, and says how many characters were cut off. */
export function cutStrings<T>(value: T, limit: number): T {
  return cutValue(value, limit) as T
}

export function hasCutStrings(value: unknown): boolean {
  return JSON.stringify(value)?.includes(`${note}"`) ?? false
}

function cutValue(value: unknown, limit: number): unknown {
  if (typeof value === 'string') {
    if (value.length <= limit) return value
    const kept = cutText(value, limit)
    return `${kept}… (${value.length - kept.length} ${note}`
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => cutValue(item, limit))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutValue(item, limit)]))
}
