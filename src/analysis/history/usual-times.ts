import type { CaseEntry } from '../../cases/entry.ts'
import { type Redactor, redactKey } from '../../privacy/redact.ts'
import { caseText } from '../../results/stability.ts'
import { entryVariants } from '../../run/jobs.ts'
import type { CaseHistory, History } from './read.ts'
import { lastLines } from './window.ts'

/** How long one run of a case takes with each of the variants, together; undefined when it was never run. */
export function usualTimes(
  history: History | undefined,
  variants: readonly string[] | undefined,
  redact: Redactor,
): (entry: CaseEntry) => number | undefined {
  const known = variants ?? listVariants(history)
  return (entry) => {
    const played = entryVariants(entry, known)
    const found = played.flatMap((variant) => {
      const key = { file: entry.file, id: entry.id, variant, run: 1, attempt: 1 }
      return history?.cases.get(caseText(redactKey(key, redact))) ?? []
    })
    if (found.length === 0) return undefined
    const sum = found.reduce((total, each) => total + usualDuration(each), 0)
    // A variant that is new takes about as long as the others.
    return (sum / found.length) * played.length
  }
}

/** The average of the last runs. */
export function usualDuration({ lines }: Pick<CaseHistory, 'lines'>): number {
  const last = lastLines(lines)
  return last.reduce((sum, line) => sum + line.duration_ms, 0) / last.length
}

function listVariants(history: History | undefined): string[] {
  return [...new Set([...(history?.cases.values() ?? [])].map(({ variant }) => variant))]
}
