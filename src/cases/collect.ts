import { ConfigError, type Problem } from '../errors.ts'
import type { CaseEntry, CaseSource } from './entry.ts'

/** The first pass: validates every case and reports all problems at once. */
export async function collect(source: CaseSource): Promise<CaseEntry[]> {
  const entries: CaseEntry[] = []
  const problems: Problem[] = []
  let isWrong = false
  for await (const item of source.index()) {
    if ('code' in item) {
      isWrong = true
      problems.push(item)
    } else {
      entries.push(item)
      // These are only errors if the case is selected, so they alone do not stop the run here.
      problems.push(...(item.lacks ?? []))
    }
  }
  if (isWrong) throw new ConfigError(problems)
  if (entries.length > 0) return entries
  throw new ConfigError({ code: 'no_cases', message: `no cases in ${source.label}` })
}
