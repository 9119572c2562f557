import { exactTest, leastWorse, type Paired } from '../../results/statistics/exact-test.ts'
import { adjustByTarone } from '../../results/statistics/tarone.ts'

/** More runs than this are not worth recommending. */
const most = 1000
/** For more pairs than this the normal approximation is used, which is fast to compute. */
const exactUpTo = 40

/**
 * The number of runs per case with which these rates would be a regression; undefined if even many would not be enough.
 * It is a multiple of the runs that were played, because only then the rates stay exactly the same.
 */
export function findRunsNeeded(pairs: readonly Paired[], alpha: number): number | undefined {
  const played = Math.max(...pairs.flatMap(({ base, head }) => [base.runs, head.runs]))
  const changed = pairs.filter(({ base, head }) => base.passed / base.runs !== head.passed / head.runs)
  for (let times = 2; times * played <= most; times++) {
    const imagined = changed.map((pair) => multiplyRuns(pair, times))
    if (chanceOfWorse(imagined) < alpha / 2 || someCaseIsWorse(imagined, alpha / 2)) return times * played
  }
  return undefined
}

function multiplyRuns({ base, head }: Paired, times: number): Paired {
  return {
    base: { runs: base.runs * times, passed: base.passed * times },
    head: { runs: head.runs * times, passed: head.passed * times },
  }
}

function someCaseIsWorse(pairs: readonly Paired[], alpha: number): boolean {
  const worse = pairs.filter(({ base, head }) => head.passed / head.runs < base.passed / base.runs)
  const tests = worse.map((pair) => ({ p: exactTest([pair]).worse, least: leastWorse(pair) }))
  return adjustByTarone(tests, alpha).some((p) => p < alpha)
}

/** The probability of so few passes after the change: exact for few pairs, by the normal distribution for many. */
function chanceOfWorse(pairs: readonly Paired[]): number {
  if (pairs.length <= exactUpTo) return exactTest(pairs).worse
  let [observed, mean, variance] = [0, 0, 0]
  for (const { base, head } of pairs) {
    const runs = base.runs + head.runs
    const share = (base.passed + head.passed) / runs
    observed += head.passed
    mean += head.runs * share
    variance += (head.runs * share * (1 - share) * base.runs) / (runs - 1)
  }
  return variance === 0 ? 1 : normalBelow((observed + 0.5 - mean) / Math.sqrt(variance))
}

/** Abramowitz and Stegun, 26.2.17: correct to seven digits. */
function normalBelow(deviations: number): number {
  const step = 1 / (1 + 0.2316419 * Math.abs(deviations))
  const series =
    step *
    (0.31938153 + step * (-0.356563782 + step * (1.781477937 + step * (-1.821255978 + step * 1.330274429))))
  const beyond = (Math.exp(-(deviations ** 2) / 2) / Math.sqrt(2 * Math.PI)) * series
  return deviations < 0 ? beyond : 1 - beyond
}
