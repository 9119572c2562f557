/** How far two who judged the same things agree. */
export interface Agreement {
  count: number
  /** The share they agree on. */
  accuracy: number
  /** Cohen's κ: how much more they agree than they would by chance. Undefined where chance alone would do. */
  kappa?: Interval
}

export interface Interval {
  value: number
  low: number
  high: number
}

/** The 97.5th percentile of the normal distribution. */
const z95 = 1.959963984540054

/**
 * Agreement of pairs of words. The interval is the usual one for large samples: κ ± 1.96 √(pₒ(1−pₒ) / n(1−pₑ)²), cut
 * at −1 and 1.
 */
export function agreementOf(pairs: readonly (readonly [string, string])[]): Agreement {
  const count = pairs.length
  if (count === 0) return { count, accuracy: Number.NaN }
  const accuracy = pairs.filter(([left, right]) => left === right).length / count
  const words = new Set(pairs.flat())
  const share = (side: 0 | 1, word: string) => pairs.filter((pair) => pair[side] === word).length / count
  const chance = [...words].reduce((sum, word) => sum + share(0, word) * share(1, word), 0)
  if (chance === 1) return { count, accuracy }
  const value = (accuracy - chance) / (1 - chance)
  const error = Math.sqrt((accuracy * (1 - accuracy)) / (count * (1 - chance) ** 2))
  return {
    count,
    accuracy,
    kappa: {
      value,
      low: Math.max(-1, value - z95 * error),
      high: Math.min(1, value + z95 * error),
    },
  }
}
