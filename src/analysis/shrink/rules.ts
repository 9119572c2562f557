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

/** How likely it is that a candidate that fails as often as the original is taken for one that fails much less often. */
const missed = 0.005
/** How likely the opposite is. */
const mistaken = 0.05
const mostRuns = 40

/**
 * For a failure that is flaky: Wald's sequential test of whether a candidate fails about as often as what it was made from, or
 * at most a third as often. The rate was measured in few runs, so it may be a little lower.
 */
export function atRate(rate: number): Rule {
  const often = Math.min(0.9, Math.max(0.2, rate - 0.1))
  const seldom = often / 3
  const up = Math.log(often / seldom)
  const down = Math.log((1 - seldom) / (1 - often))
  const accepted = Math.log((1 - missed) / mistaken)
  const rejected = Math.log(missed / (1 - mistaken))
  return ({ runs, failed }) => {
    const evidence = failed * up - (runs - failed) * down
    if (evidence >= accepted) return true
    return evidence <= rejected || runs >= mostRuns ? false : undefined
  }
}
