import { cut } from '../shorten.ts'

/** The same value with no text in it longer than that; what is cut off is counted. */
export function cutStrings<T>(value: T, limit: number): T {
  return cutValue(value, limit) as T
}

function cutValue(value: unknown, limit: number): unknown {
  if (typeof value === 'string')
    return value.length > limit
      ? `${cut(value, limit)}… (${value.length - limit} more characters are in the results file)`
      : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => cutValue(item, limit))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutValue(item, limit)]))
}
