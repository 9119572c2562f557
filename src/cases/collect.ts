import { ConfigError, type Problem } from '../errors.ts'
import { CaseColumns, type CaseList } from './case-list.ts'
import type { CaseSource } from './entry.ts'

/** The first pass: validates every case and reports all problems at once. */
export async function collect(source: CaseSource): Promise<CaseList> {
  const columns = new CaseColumns()
  const problems: Problem[] = []
  let isWrong = false
  for await (const item of source.index()) {
    if ('code' in item) {
      isWrong = true
      problems.push(item)
    } else {
      columns.add(item)
      // These are only errors if the case is selected, so they alone do not stop the run here.
      problems.push(...(item.lacks ?? []))
    }
  }
  if (isWrong) throw new ConfigError(problems)
  const cases = columns.list()
  if (cases.length > 0) return cases
  throw new ConfigError({ code: 'no_cases', message: `no cases in ${source.label}` })
}
