import type { HistoryLine } from './line.ts'

const fewestFlips = 2

/**
 * Whether a case flips: in one run some of it passed and some failed, or from run to run it went back and forth. A flip
 * that comes with a change of the case is explained by that. `lines` are of one case and variant, oldest first.
 */
export function isFlaky(lines: readonly HistoryLine[]): boolean {
  if (lines.some(({ passed, failed, flaky = 0 }) => (passed > 0 && failed > 0) || flaky > 0)) return true
  const judged = lines.filter(({ passed, failed }) => passed + failed > 0)
  const flips = judged.filter((line, index) => {
    const before = judged[index - 1]
    return before?.case_hash === line.case_hash && before.failed > 0 !== line.failed > 0
  })
  return flips.length >= fewestFlips
}
