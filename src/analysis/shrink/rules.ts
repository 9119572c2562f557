/** How often a candidate was played, and how often it failed for the same reason. */
export interface FailureCount {
  runs: number
  failed: number
}

/** Whether a candidate still fails; undefined until that is clear. Asked after every run, so that clear cases cost little. */
export type Rule = (trials: FailureCount) => boolean | undefined

/** For an agent that always answers alike. */
export const once: Rule = ({ runs, failed }) => (runs === 0 ? undefined : failed > 0)

/** In at least `least` of `most` runs. */
export function inSomeOf(least: number, most: number): Rule {
  return ({ runs, failed }) => {
    if (failed >= least) return true
    return runs - failed > most - least ? false : undefined
  }
}

/** How often a flaky failure is looked for until its rate is known: until it has failed this often, */
const rateFailures = 16
/** but at most this often, */
export const mostRateRuns = 80
/** and no longer than this if it does not fail at all. */
const mostVainRuns = 24

/** Whether a rate can be estimated from these runs. */
export function isRateKnown({ runs, failed }: FailureCount): boolean {
  return failed >= rateFailures || runs >= (failed === 0 ? mostVainRuns : mostRateRuns)
}

/** The errors of the test if the rate were exactly as assumed; src/analysis/shrink/rules.test.ts simulates the real ones. */
const missed = 0.003
const mistaken = 0.02
const leastRate = 0.06
/** A candidate of which so many runs say nothing clear counts as one that does not fail. */
export const mostRuns = 200

/**
 * For a failure that is flaky: Wald's sequential test of whether a candidate fails about as often as what it was made from,
 * or at most a third as often. The rate was measured in few runs, so it may be lower by about its standard error.
 */
export function atRate({ runs, failed }: FailureCount): Rule {
  const rate = failed / runs
  const lower = rate - 0.8 * Math.sqrt((rate * (1 - rate)) / runs)
  const often = Math.min(0.9, Math.max(leastRate, lower))
  const seldom = often / 3
  const up = Math.log(often / seldom)
  const down = Math.log((1 - seldom) / (1 - often))
  const accepted = Math.log((1 - missed) / mistaken)
  const rejected = Math.log(missed / (1 - mistaken))
  return (trials) => {
    const evidence = trials.failed * up - (trials.runs - trials.failed) * down
    if (evidence >= accepted) return true
    return evidence <= rejected || trials.runs >= mostRuns ? false : undefined
  }
}
