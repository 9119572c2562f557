import { type Interval, wilsonInterval } from './wilson.ts'

/** How well two judges of the same things agree. */
export interface Agreement {
  count: number
  /** The share they agree on; absent without pairs. */
  accuracy?: number
  /** Cohen's κ: how much more they agree than by chance. Undefined if chance alone would give full agreement. */
  kappa?: Interval & { value: number }
}

/**
 * The agreement of pairs of words: κ = (pₒ − pₑ) / (1 − pₑ). Its interval is Wilson's for the share they agree on,
 * transformed to κ with the observed chance: it stays wide for few pairs, even if all of them agree.
 */
export function computeAgreement(pairs: readonly (readonly [string, string])[]): Agreement {
  const count = pairs.length
  if (count === 0) return { count }
  const agreed = pairs.filter(([left, right]) => left === right).length
  const accuracy = agreed / count
  const words = new Set(pairs.flat())
  const share = (side: 0 | 1, word: string) => pairs.filter((pair) => pair[side] === word).length / count
  const chance = [...words].reduce((sum, word) => sum + share(0, word) * share(1, word), 0)
  if (chance === 1) return { count, accuracy }
  const kappa = (observed: number) => (observed - chance) / (1 - chance)
  const { low, high } = wilsonInterval(agreed, count)
  return {
    count,
    accuracy,
    kappa: { value: kappa(accuracy), low: Math.max(-1, kappa(low)), high: kappa(high) },
  }
}
