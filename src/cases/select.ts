import { ConfigError, messageOf } from '../errors.ts'
import { compilePattern, type Pattern } from '../text/pattern.ts'
import type { CaseEntry } from './entry.ts'
import { parseTagExpression, type TagTest } from './tag-expression.ts'

export interface Selection {
  /** Go's regular expression on the id or the name, unanchored. */
  run?: string
  /** Expressions of which one must hold of a case's tags. */
  tags: readonly string[]
  /** Every selected case must check something. */
  requireChecks: boolean
  /** Leaves out more of them, for reasons of its own. Throws when nothing is left. */
  narrow?(entries: readonly CaseEntry[]): CaseEntry[]
}

/** Which cases to play: some, and each worth playing. */
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
  if (selection.requireChecks) refuseUnchecked(selected)
  return selected
}

function refuseUnchecked(entries: readonly CaseEntry[]): void {
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
