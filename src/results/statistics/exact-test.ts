import type { Trials } from './pass-k.ts'

/** Runs of one case before and after a change. */
export interface Paired {
  base: Trials
  head: Trials
}

/**
 * The probability of so few passes after the change if nothing had changed: exact, within each case, whatever the pass
 * rates of the cases. Given the total number of passes of a case, every run is equally likely to be one of them. For a
 * single case this is Fisher's test; for one run of each case before and after, McNemar's.
 */
export interface ExactTest {
  /** The probability of as few passes or fewer. */
  worse: number
  /** The probability of as many passes or more. */
  better: number
  /** Two-sided: twice the smaller one, at most 1. */
  twoSided: number
}

export function exactTest(pairs: readonly Paired[]): ExactTest {
  const observed = pairs.reduce((sum, { head }) => sum + head.passed, 0)
  // The probability of each number of passes after the change, starting at `least`.
  let all: Chances = { least: 0, chances: Float64Array.of(1) }
  for (const pair of pairs) all = addChances(all, headPasses(pair))
  const at = observed - all.least
  const worse = sumChances(all.chances.subarray(0, Math.max(0, at + 1)))
  const better = sumChances(all.chances.subarray(Math.max(0, at)))
  return { worse, better, twoSided: Math.min(1, 2 * Math.min(worse, better)) }
}

/** The smallest possible `worse` of such a case: with too few runs, it cannot become small. */
export function leastWorse(pair: Paired): number {
  return headPasses(pair).chances[0] ?? 1
}

interface Chances {
  least: number
  chances: Float64Array
}

/** The hypergeometric distribution of the passes after the change, given the passes of both sides. */
function headPasses({ base, head }: Paired): Chances {
  const passed = base.passed + head.passed
  const runs = base.runs + head.runs
  const least = Math.max(0, passed - base.runs)
  const most = Math.min(passed, head.runs)
  const chances = new Float64Array(most - least + 1)
  for (let passes = least; passes <= most; passes++)
    chances[passes - least] = Math.exp(
      logChoose(passed, passes) + logChoose(runs - passed, head.runs - passes) - logChoose(runs, head.runs),
    )
  return { least, chances }
}

/** The distribution of the sum of two independent numbers. Negligible probabilities are dropped to keep it fast. */
function addChances(one: Chances, other: Chances): Chances {
  const least = one.least + other.least
  if (other.chances.length === 1) return { least, chances: one.chances }
  const sums = new Float64Array(one.chances.length + other.chances.length - 1)
  for (const [at, left] of one.chances.entries())
    for (const [by, right] of other.chances.entries()) sums[at + by] = (sums[at + by] ?? 0) + left * right
  const isRelevant = (chance: number) => chance > negligible
  const [first, last] = [sums.findIndex(isRelevant), sums.findLastIndex(isRelevant)]
  return { least: least + first, chances: sums.subarray(first, last + 1) }
}

const negligible = 1e-40

function sumChances(chances: Float64Array): number {
  return Math.min(
    1,
    chances.reduce((sum, chance) => sum + chance, 0),
  )
}

const logFactorials = [0]

function logChoose(from: number, take: number): number {
  return logFactorial(from) - logFactorial(take) - logFactorial(from - take)
}

function logFactorial(value: number): number {
  for (let next = logFactorials.length; next <= value; next++)
    logFactorials.push((logFactorials[next - 1] ?? 0) + Math.log(next))
  return logFactorials[value] ?? 0
}
