export interface Spread {
  average: number
  least: number
  most: number
  /** Of the population, not of a sample of it. */
  deviation: number
}

/** Of at least one value. */
export function spreadOf(values: readonly number[]): Spread {
  const average = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - average) ** 2, 0) / values.length
  const least = values.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY)
  const most = values.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY)
  return { average, least, most, deviation: Math.sqrt(variance) }
}

/** The share of the value that is there most often: 1 when all are the same. */
export function modalShare(values: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return Math.max(0, ...counts.values()) / values.length
}
