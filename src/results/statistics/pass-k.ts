/** The judged runs of one case, and how many of them passed. */
export interface Trials {
  runs: number
  passed: number
}

/** pass^k: the chance that k runs all pass, C(passed, k) / C(runs, k). Unbiased, unlike the k-th power of the rate. */
export function allOfK({ runs, passed }: Trials, k: number): number {
  let chance = 1
  for (let drawn = 0; drawn < k; drawn++) chance *= Math.max(0, passed - drawn) / (runs - drawn)
  return chance
}

/** pass@k: the chance that at least one of k runs passes. */
export function anyOfK({ runs, passed }: Trials, k: number): number {
  return 1 - allOfK({ runs, passed: runs - passed }, k)
}

/** The mean over the cases of a suite, for one k. */
export interface PassK {
  k: number
  /** pass^k */
  all: number
  /** pass@k */
  any: number
  /** The number of cases with at least k runs. */
  cases: number
}

/** More values of k would add little and fill the screen. */
const shownK = [1, 2, 3, 4, 5, 10, 20, 50, 100, 200, 500, 1000]

/** The mean over the cases with enough runs, for each k. */
export function passK(cases: readonly Trials[]): PassK[] {
  const most = cases.reduce((largest, { runs }) => Math.max(largest, runs), 0)
  return [...new Set([...shownK.filter((k) => k < most), most])]
    .filter((k) => k > 0)
    .map((k) => {
      const enough = cases.filter(({ runs }) => runs >= k)
      const mean = (chance: (trials: Trials, k: number) => number) =>
        enough.reduce((sum, trials) => sum + chance(trials, k), 0) / enough.length
      return { k, all: mean(allOfK), any: mean(anyOfK), cases: enough.length }
    })
}
