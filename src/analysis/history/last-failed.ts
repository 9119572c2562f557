import type { CaseEntry } from '../../cases/entry.ts'
import { ConfigError } from '../../errors.ts'
import { type Redactor, redactKey } from '../../privacy/redact.ts'
import type { PlannedResults } from '../../results/planned-results.ts'
import { caseText } from '../../results/stability.ts'
import { makeJobs, resultKey } from '../../run/jobs.ts'
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
export function lastFailed(entries: readonly CaseEntry[], lastTime: LastTime): CaseEntry[] {
  const { history, redact } = lastTime
  if (history === undefined) throw noHistoryError('there is no history of runs yet')
  const variants = lastTime.variants ?? new Set([...history.cases.values()].map(({ variant }) => variant))
  const finished = caseTexts(lastTime.finished)
  let isKnown = false
  const chosen = new Set<CaseEntry>()
  for (const job of makeJobs(entries, variants)) {
    for (const entry of job.entries) {
      const name = caseText(redactKey(resultKey(entry, job), redact))
      const known = history.cases.get(name)
      if (known !== undefined) isKnown = true
      if (finished.has(name) || (known !== undefined && didNotPass(known.newest))) chosen.add(entry)
    }
  }
  if (chosen.size > 0) return entries.filter((entry) => chosen.has(entry))
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
