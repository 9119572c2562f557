import { exactTest, type Paired } from '../statistics/exact-test.ts'
import { holm } from '../statistics/holm.ts'

/** Nobody plays more. */
const most = 1000

/** The least runs of each case with which rates like these would be a regression; undefined where none that one plays are. */
export function runsThatWouldTell(pairs: readonly Paired[], alpha: number): number | undefined {
  const changed = pairs.filter(({ base, head }) => base.passed / base.runs !== head.passed / head.runs)
  const tells = (runs: number) => {
    const imagined = changed.map(({ base, head }) => ({
      base: { runs, passed: Math.round((base.passed / base.runs) * runs) },
      head: { runs, passed: Math.round((head.passed / head.runs) * runs) },
    }))
    if (exactTest(imagined).worse < alpha / 2) return true
    // The others were looked at, too.
    const others = new Array<number>(pairs.length - changed.length).fill(1)
    return holm([...imagined.map((pair) => exactTest([pair]).worse), ...others]).some((p) => p < alpha / 2)
  }
  for (let runs = 2; runs <= most; runs += runs < 20 ? 1 : Math.ceil(runs / 10)) if (tells(runs)) return runs
  return undefined
}
