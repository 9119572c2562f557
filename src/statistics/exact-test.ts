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
  let least = 0
  // How many passes there are after the change, from `least` on: the chances of each number.
  let chances = [1]
  for (const pair of pairs) {
    const own = headPasses(pair)
    least += own.least
    if (own.chances.length > 1) chances = convolve(chances, own.chances)
  }
  const at = observed - least
  const worse = total(chances.slice(0, at + 1))
  const better = total(chances.slice(at))
  return { worse, better, twoSided: Math.min(1, 2 * Math.min(worse, better)) }
}

/** Hypergeometric: of the runs of both sides, so many passed; how many of them fall after the change. */
function headPasses({ base, head }: Paired): { least: number; chances: number[] } {
  const passed = base.passed + head.passed
  const runs = base.runs + head.runs
  const least = Math.max(0, passed - base.runs)
  const most = Math.min(passed, head.runs)
  const logs = Array.from({ length: most - least + 1 }, (_, index) => {
    const here = least + index
    return logChoose(passed, here) + logChoose(runs - passed, head.runs - here) - logChoose(runs, head.runs)
  })
  return { least, chances: logs.map(Math.exp) }
}

function convolve(left: readonly number[], right: readonly number[]): number[] {
  const sums = new Array<number>(left.length + right.length - 1).fill(0)
  for (const [at, one] of left.entries())
    for (const [by, other] of right.entries()) sums[at + by] = (sums[at + by] ?? 0) + one * other
  return sums
}

function total(chances: readonly number[]): number {
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
