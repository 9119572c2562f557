import type { Comparison } from '../../analysis/compare/compare.ts'
import { verdictText } from '../../analysis/compare/words.ts'
import type { CaseList } from '../../cases/case-list.ts'
import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import type { Redactor } from '../../privacy/redact.ts'
import type { Baseline } from '../../run/run.ts'
import type { Settings } from '../phases/settings.ts'
import { compareTwo, savedRun } from './compare-runs.ts'
import type { SavedRunNeeds } from './saved-run.ts'

/** Compares a run with an earlier one, before the run is summed up. */
export interface OpenBaseline extends Baseline {
  /** Refuses what could never be compared, before anything is played. */
  check(entries: CaseList): Promise<void>
  /** What came of it, once the run has been compared. */
  comparison(): Comparison | undefined
}

/** Opens the results of an earlier run. A file that cannot be read is reported before the run, not after an hour of it. */
export async function openBaseline(
  file: string,
  { alpha, transcripts, masks, gates }: Settings,
  redact: () => Redactor,
  needs: SavedRunNeeds,
): Promise<OpenBaseline> {
  await savedRun(file, {}, needs)
  let comparison: Comparison | undefined
  return {
    async check(entries) {
      const known = new Set<string>()
      for await (const { key } of (await savedRun(file, {}, needs)).results)
        known.add(JSON.stringify([key.file, key.id]))
      for (const { file: own, id } of entries) if (known.has(JSON.stringify([own, redact()(id)]))) return
      const message = `--baseline ${file} has no case in common with this run`
      throw new ConfigError({
        code: 'nothing_in_common',
        message,
        hint: 'compare runs of the same case files',
      })
    },
    async compare(results, missing) {
      const head = { start: defined({ gates }), missing, results }
      const base = await savedRun(file, { transcripts, mask: masks }, needs)
      comparison = redact()(await compareTwo(base, head, alpha))
      return { baseline: file, verdict: comparison.verdict, text: verdictText(comparison) }
    },
    comparison: () => comparison,
  }
}
