import type { CaseList } from '../../cases/case-list.ts'
import { ConfigError } from '../../errors.ts'
import { type Redactor, redactKey } from '../../privacy/redact.ts'
import type { PlannedResults } from '../../results/planned-results.ts'
import { caseText } from '../../results/stability.ts'
import { entryVariants } from '../../run/jobs.ts'
import { didNotPass } from './outcome.ts'
import type { History } from './read.ts'

interface LastTime {
  history: History | undefined
  /** The variants of this run; undefined for all variants in the history. */
  variants: Iterable<string> | undefined
  redact: Redactor
  /** The results of the resumed run: their cases were selected when it started. */
  finished: PlannedResults
}

/** The cases that did not pass when they were last run with one of the variants. Throws when there are none. */
export function lastFailed(entries: CaseList, lastTime: LastTime): CaseList {
  const { history, redact } = lastTime
  if (history === undefined) throw noHistoryError('there is no history of runs yet')
  const variants = [
    ...(lastTime.variants ?? new Set([...history.cases.values()].map(({ variant }) => variant))),
  ]
  const finished = caseTexts(lastTime.finished)
  let isKnown = false
  const chosen = entries.filter((entry) => {
    const names = entryVariants(entry, variants).map((variant) =>
      caseText(redactKey({ file: entry.file, id: entry.id, variant, run: 1, attempt: 1 }, redact)),
    )
    const known = names.map((name) => history.cases.get(name)).filter((found) => found !== undefined)
    isKnown ||= known.length > 0
    return names.some((name) => finished.has(name)) || known.some(({ newest }) => didNotPass(newest))
  })
  if (chosen.length > 0) return chosen
  if (!isKnown) throw noHistoryError('the history has no run of these cases yet')
  throw new ConfigError({
    code: 'none_selected',
    message: 'nothing failed last time',
    hint: `leave out --last-failed to run ${entries.length === 1 ? 'the case' : `all ${entries.length} cases`}`,
  })
}

function noHistoryError(message: string): ConfigError {
  return new ConfigError({
    code: 'none_selected',
    message: `--last-failed: ${message}`,
    hint: 'run them once without --last-failed',
  })
}

/** The cases of these results, without their runs. */
function caseTexts(finished: PlannedResults): Set<string> {
  const texts = new Set<string>()
  for (const { key } of finished.keys()) texts.add(caseText(key))
  return texts
}
