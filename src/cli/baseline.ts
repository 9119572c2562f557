import type { Comparison } from '../analysis/compare/compare.ts'
import { verdictText } from '../analysis/compare/words.ts'
import type { CaseEntry } from '../cases/entry.ts'
import { ConfigError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import type { Redact } from '../privacy/redact.ts'
import type { CaseResult } from '../results/result.ts'
import type { ComparisonSummary } from '../results/summary.ts'
import { compareTwo, printComparison, savedRun } from './compare-runs.ts'
import type { Settings } from './settings.ts'
import type { Terminal } from './terminal.ts'

/** Compares a run with its baseline before it says how it ended, and has something to print when it has. */
export function createBaseline(
  { baseline: file, alpha, transcripts, masks, gates }: Settings,
  hide: () => Redact,
) {
  if (file === undefined) return undefined
  let comparison: Comparison | undefined
  return {
    /** Refuses what could never be compared, before anything is played. */
    async check(entries: readonly CaseEntry[]): Promise<void> {
      const known = new Set<string>()
      for await (const { key } of (await savedRun(file, {})).results)
        known.add(JSON.stringify([key.file, key.id]))
      if (entries.some(({ file: own, id }) => known.has(JSON.stringify([own, hide()(id)])))) return
      const message = `--baseline ${file} has no case in common with this run`
      throw new ConfigError({
        code: 'nothing_in_common',
        message,
        hint: 'compare runs of the same case files',
      })
    },
    async compare(results: AsyncIterable<CaseResult>, missing: number): Promise<ComparisonSummary> {
      const head = { start: defined({ gates }), missing, results }
      comparison = hide()(await compareTwo(await savedRun(file, { transcripts, mask: masks }), head, alpha))
      return { baseline: file, verdict: comparison.verdict, text: verdictText(comparison) }
    },
    print(terminal: Pick<Terminal, 'print' | 'pen'>): void {
      if (comparison) printComparison(comparison, terminal)
    },
  }
}
