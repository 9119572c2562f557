import { ConfigError, errorMessage, type Problem } from '../errors.ts'
import { compilePattern } from '../text/pattern.ts'
import type { CaseList } from './case-list.ts'
import { parseTagExpression } from './tag-expression.ts'

export interface Selection {
  /** An RE2 regular expression for the id or the name, not anchored. */
  run?: string
  /** Tag expressions; a case must match at least one of them. */
  tags: readonly string[]
  /** Every selected case must check something. */
  requireChecks: boolean
  /** Narrows the selection further. Throws if nothing is left. */
  narrow?(entries: CaseList): CaseList
}

/** Selects the cases to play. Throws if there are none, or if one of them cannot be played. */
export function select(entries: CaseList, selection: Selection): CaseList {
  const { run, tags } = selection
  const pattern = run === undefined ? undefined : compileFlag('run', run, compilePattern)
  const tests = tags.map((tag) => compileFlag('tag', tag, parseTagExpression))
  const isAsked = pattern !== undefined || tests.length > 0
  const matching = !isAsked
    ? entries
    : entries.filter(({ id, name = id, tags: own }) => {
        if (pattern && !pattern.test(id) && !pattern.test(name)) return false
        return tests.length === 0 || tests.some((test) => test(new Set(own)))
      })
  if (matching.length === 0) {
    const message =
      entries.length === 1
        ? 'the only case does not match the filter'
        : `none of the ${entries.length} cases matches the filter`
    throw new ConfigError({ code: 'none_selected', message })
  }
  const selected = selection.narrow?.(matching) ?? matching
  const lacking: Problem[] = []
  for (const { lacks = [] } of selected) lacking.push(...lacks)
  if (lacking.length > 0) throw new ConfigError(lacking)
  if (selection.requireChecks) rejectUnchecked(selected)
  return selected
}

function rejectUnchecked(entries: CaseList): void {
  const message = 'checks nothing (--require-checks)'
  const problems: Problem[] = []
  for (const { unchecked, file, line, id } of entries)
    if (unchecked) problems.push({ code: 'unchecked', message, file, line, id })
  if (problems.length > 0) throw new ConfigError(problems)
}

function compileFlag<T>(flag: 'run' | 'tag', text: string, compile: (text: string) => T): T {
  try {
    return compile(text)
  } catch (error) {
    const message = `--${flag} ${JSON.stringify(text)}: ${errorMessage(error)}`
    throw new ConfigError({ code: flag === 'run' ? 'bad_regex' : 'bad_tag', message })
  }
}
