import type { Trials } from './pass-k.ts'

/** Runs of one case before and after a change. */
export interface Paired {
  base: Trials
  head: Trials
}

/**
 * How likely so few passes after the change are, were there no change: exact, within each case, for whatever rates the
 * cases have. Given how many of a case's runs passed in all, each of them is as likely to be one before as one after.
 * For one case it is Fisher's test; for one run of each case before and after, McNemar's.
 */
export interface ExactTest {
  /** As few passes or fewer. */
  worse: number
  /** As many passes or more. */
  better: number
  /** Both ways: twice the smaller one, at most 1. */
  twoSided: number
}

export function exactTest(pairs: readonly Paired[]): ExactTest {
  const observed = pairs.reduce((sum, { head }) => sum + head.passed, 0)
  // How many passes there are after the change, from `least` on: the chances of each number.
  let all: Chances = { least: 0, chances: Float64Array.of(1) }
  for (const pair of pairs) all = plus(all, headPasses(pair))
  const at = observed - all.least
  const worse = total(all.chances.subarray(0, Math.max(0, at + 1)))
  const better = total(all.chances.subarray(Math.max(0, at)))
  return { worse, better, twoSided: Math.min(1, 2 * Math.min(worse, better)) }
}

/** The least `worse` that such a case could have, whatever its runs came to: some have too few to say anything. */
export function leastWorse(pair: Paired): number {
  return headPasses(pair).chances[0] ?? 1
}

interface Chances {
  least: number
  chances: Float64Array
}

/** Hypergeometric: of the runs of both sides, so many passed; how many of them fall after the change. */
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

/** Of two numbers that do not depend on each other, their sum. What is never seen is left out, or it would take for ever. */
function plus(one: Chances, other: Chances): Chances {
  const least = one.least + other.least
  if (other.chances.length === 1) return { least, chances: one.chances }
  const sums = new Float64Array(one.chances.length + other.chances.length - 1)
  for (const [at, left] of one.chances.entries())
    for (const [by, right] of other.chances.entries()) sums[at + by] = (sums[at + by] ?? 0) + left * right
  const isSeen = (chance: number) => chance > never
  const [first, last] = [sums.findIndex(isSeen), sums.findLastIndex(isSeen)]
  return { least: least + first, chances: sums.subarray(first, last + 1) }
}

const never = 1e-40

function total(chances: Float64Array): number {
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
