import type { Trials } from './pass-k.ts'

/** What is to be found out about a case: whether its pass rate reaches the gate, and how sure that must be. */
export interface RateQuestion {
  gate: number
  confidence: number
}

export type Decision = 'reached' | 'missed' | 'undecided'

/**
 * The two hypotheses of the test. The odds of a failure are twice those of the gate in one, and a third of them in the
 * other. Rates between the two cannot be distinguished from the gate with an affordable number of runs: for them, either
 * answer is possible.
 */
export function hypotheses(gate: number): { bad: number; good: number } {
  const odds = (1 - gate) / gate
  return { bad: 1 / (1 + odds * 2), good: 1 / (1 + odds / 3) }
}

/**
 * Wald's sequential probability ratio test, with Ville's bound: however often the data are checked, the probability of
 * `reached` at a rate of `bad` or less, and of `missed` at a rate of `good` or more, is at most 1 − confidence.
 */
export function decide(question: RateQuestion, trials: Trials): Decision {
  const { bound, evidence } = weighEvidence(question, trials)
  if (evidence >= bound) return 'reached'
  return evidence <= -bound ? 'missed' : 'undecided'
}

/** How many further runs it takes at least before anything can be decided: they are all needed. */
export function leastFurther(question: RateQuestion, trials: Trials): number {
  const { bound, evidence, up, down } = weighEvidence(question, trials)
  return Math.max(1, Math.min(Math.ceil((bound - evidence) / up), Math.ceil((bound + evidence) / down)))
}

/** The least runs with which it can be `reached` (all pass) or `missed` (all fail). */
export function leastRuns(question: RateQuestion): { reached: number; missed: number } {
  const { bound, up, down } = weighEvidence(question, { runs: 0, passed: 0 })
  return { reached: Math.ceil(bound / up), missed: Math.ceil(bound / down) }
}

/** The logarithm of how much likelier the runs are in the one hypothesis than in the other: each pass adds, each failure takes. */
function weighEvidence({ gate, confidence }: RateQuestion, { runs, passed }: Trials) {
  const { bad, good } = hypotheses(gate)
  const up = Math.log(good / bad)
  const down = Math.log((1 - bad) / (1 - good))
  return { up, down, bound: -Math.log(1 - confidence), evidence: passed * up - (runs - passed) * down }
}

const mostFixedRuns = 5000

/** How many runs a test with a fixed number needs, to be as sure at the same two rates. */
export function fixedRuns({ gate, confidence }: RateQuestion): number | undefined {
  const { bad, good } = hypotheses(gate)
  const error = 1 - confidence
  for (let runs = 1; runs <= mostFixedRuns; runs++) {
    const least = leastPasses(runs, bad, error)
    if (chanceOfAtMost(least - 1, runs, good) <= error) return runs
  }
  return undefined
}

/** The smallest number of passes whose probability at that rate is at most `error`. */
function leastPasses(runs: number, rate: number, error: number): number {
  let tail = 0
  for (let passes = runs; passes >= 0; passes--) {
    tail += binomialChance(passes, runs, rate)
    if (tail > error) return passes + 1
  }
  return 0
}

function chanceOfAtMost(passes: number, runs: number, rate: number): number {
  let sum = 0
  for (let count = 0; count <= passes; count++) sum += binomialChance(count, runs, rate)
  return sum
}

function binomialChance(passes: number, runs: number, rate: number): number {
  let log = passes * Math.log(rate) + (runs - passes) * Math.log(1 - rate)
  for (let each = 1; each <= passes; each++) log += Math.log((runs - passes + each) / each)
  return Math.exp(log)
}
