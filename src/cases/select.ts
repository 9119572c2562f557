import { ConfigError, messageOf } from '../errors.ts'
import { compilePattern, type Pattern } from '../text/pattern.ts'
import type { CaseEntry } from './entry.ts'
import { parseTagExpression, type TagTest } from './tag-expression.ts'

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
  const pattern = selection.run === undefined ? undefined : compileRun(selection.run)
  const tests = selection.tags.map(compileTag)
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
  const problems = entries
    .filter(({ unchecked }) => unchecked)
    .map(({ file, line, id }) => ({
      code: 'unchecked',
      message: 'checks nothing (--require-checks)',
      file,
      line,
      id,
    }))
  if (problems.length > 0) throw new ConfigError(problems)
}

function compileRun(text: string): Pattern {
  try {
    return compilePattern(text)
  } catch (error) {
    throw new ConfigError({
      code: 'bad_regex',
      message: `--run ${JSON.stringify(text)}: ${messageOf(error)}`,
    })
  }
}

function compileTag(text: string): TagTest {
  try {
    return parseTagExpression(text)
  } catch (error) {
    throw new ConfigError({ code: 'bad_tag', message: `--tag ${JSON.stringify(text)}: ${messageOf(error)}` })
  }
}
