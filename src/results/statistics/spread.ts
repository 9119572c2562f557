export interface Spread {
  average: number
  least: number
  most: number
  /** The standard deviation of the population, not of a sample. */
  deviation: number
}

/** Expects at least one value. */
export function computeSpread(values: readonly number[]): Spread {
  const average = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - average) ** 2, 0) / values.length
  const least = values.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY)
  const most = values.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY)
  return { average, least, most, deviation: Math.sqrt(variance) }
}

/** The share of the most frequent value: 1 when all are equal. */
export function modalShare<T>(values: readonly T[]): number {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return Math.max(0, ...counts.values()) / values.length
}
