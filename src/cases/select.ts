import { ConfigError, errorMessage } from '../errors.ts'
import { compilePattern } from '../text/pattern.ts'
import type { CaseEntry } from './entry.ts'
import { parseTagExpression } from './tag-expression.ts'

export interface Selection {
  /** An RE2 regular expression for the id or the name, not anchored. */
  run?: string
  /** Tag expressions; a case must match at least one of them. */
  tags: readonly string[]
  /** Every selected case must check something. */
  requireChecks: boolean
  /** Narrows the selection further. Throws if nothing is left. */
  narrow?(entries: readonly CaseEntry[]): CaseEntry[]
}

/** Selects the cases to play. Throws if there are none, or if one of them cannot be played. */
export function select(entries: readonly CaseEntry[], selection: Selection): CaseEntry[] {
  const { run, tags } = selection
  const pattern = run === undefined ? undefined : compileFlag('run', run, compilePattern)
  const tests = tags.map((tag) => compileFlag('tag', tag, parseTagExpression))
  const matching = entries.filter(({ id, name = id, tags: own }) => {
    if (pattern && !pattern.test(id) && !pattern.test(name)) return false
    return tests.length === 0 || tests.some((test) => test(new Set(own)))
  })
  if (matching.length === 0) {
    const message = `none of the ${entries.length} cases matches the filter`
    throw new ConfigError({ code: 'none_selected', message })
  }
  const selected = selection.narrow?.(matching) ?? matching
  const lacking = selected.flatMap(({ lacks = [] }) => lacks)
  if (lacking.length > 0) throw new ConfigError(lacking)
  if (selection.requireChecks) rejectUnchecked(selected)
  return selected
}

function rejectUnchecked(entries: readonly CaseEntry[]): void {
  const message = 'checks nothing (--require-checks)'
  const problems = entries
    .filter(({ unchecked }) => unchecked)
    .map(({ file, line, id }) => ({ code: 'unchecked', message, file, line, id }))
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
