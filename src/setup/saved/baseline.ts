import type { Comparison } from '../../analysis/compare/compare.ts'
import { verdictText } from '../../analysis/compare/words.ts'
import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import type { Redactor } from '../../privacy/redact.ts'
import { originText } from '../../reporters/origin-text.ts'
import type { Key } from '../../results/key.ts'
import type { Baseline } from '../../run/conclude.ts'
import type { Settings } from '../phases/settings.ts'
import { type ComparedRun, compareTwo, savedRun } from './compare-runs.ts'
import type { PrivacyFlags, SavedRunNeeds } from './saved-run.ts'

/** The earlier run that a run is compared with. */
export interface EarlierRun {
  /** As reports have it. */
  shown: string
  /** As messages have it, with the name of its option. */
  option: string
  /** Each time its results are read from the beginning. */
  read(privacy: PrivacyFlags): Promise<ComparedRun>
}

export function savedEarlierRun(file: string, name: string, needs: SavedRunNeeds): EarlierRun {
  return { shown: file, option: `${name} ${file}`, read: (privacy) => savedRun(file, privacy, needs) }
}

/** Compares a run with an earlier one, before the run is summed up. */
export interface OpenBaseline extends Baseline {
  /** Refuses what could never be compared, before anything is played. */
  check(cases: Iterable<Pick<Key, 'file' | 'id'>>): Promise<void>
  /** What came of it, once the run has been compared. */
  comparison(): Comparison | undefined
}

type BaselineSettings = Pick<Settings, 'alpha' | 'transcripts' | 'masks' | 'gates'>

/** Opens the results of an earlier run. A file that cannot be read is reported before the run, not after an hour of it. */
export async function openBaseline(
  earlier: EarlierRun,
  { alpha, transcripts, masks, gates }: BaselineSettings,
  redact: () => Redactor,
): Promise<OpenBaseline> {
  refuseOrigin(earlier.option, (await earlier.read({})).start)
  let comparison: Comparison | undefined
  return {
    async check(cases) {
      const known = new Set<string>()
      const { start, results } = await earlier.read({})
      for (const [file, id] of start.carriedOver ?? []) known.add(JSON.stringify([file, id]))
      for await (const { key } of results) known.add(JSON.stringify([key.file, key.id]))
      for (const { file: own, id } of cases) if (known.has(JSON.stringify([own, redact()(id)]))) return
      const message = `${earlier.option} has no case in common with this run`
      throw new ConfigError({
        code: 'nothing_in_common',
        message,
        hint: 'compare runs of the same case files',
      })
    },
    async compare(results, missing, carriedOver) {
      const head = {
        start: defined({ gates, carriedOver: carriedOver && [...carriedOver] }),
        missing,
        results,
      }
      const base = await earlier.read({ transcripts, mask: masks })
      comparison = redact()(await compareTwo(base, head, alpha))
      return { baseline: earlier.shown, verdict: comparison.verdict, text: verdictText(comparison) }
    },
    comparison: () => comparison,
  }
}

function refuseOrigin(option: string, { origin }: ComparedRun['start']): void {
  if (origin === undefined) return
  throw new ConfigError({
    code: 'bad_baseline',
    message: `${option}: its results are ${originText(origin)}, not of a live run`,
    hint: 'compare with the results of a live run, or look at both files with `viva compare`',
  })
}
