import type { HistoryLine } from './line.ts'

const fewestFlips = 2

/**
 * Whether a case is flaky: it both passed and failed within one run, or went back and forth between runs. A flip that
 * comes with an edit of the case does not count. `lines` are of one case and variant, oldest first.
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
