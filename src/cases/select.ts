import { ConfigError, messageOf } from '../errors.ts'
import { compilePattern, type Pattern } from '../pattern.ts'
import type { CaseEntry } from './entry.ts'

export interface Selection {
  /** Go's regular expression on the id or the name, unanchored. */
  run?: string
  /** Tags of which a case must have one. */
  tags: readonly string[]
  /** Every selected case must check something. */
  requireChecks: boolean
}

/** Which cases to play: some, and each worth playing. */
export function select(entries: readonly CaseEntry[], selection: Selection): CaseEntry[] {
  const pattern = selection.run === undefined ? undefined : compileRun(selection.run)
  const tags = new Set(selection.tags)
  const selected = entries.filter(({ id, name = id, tags: own }) => {
    if (pattern && !pattern.test(id) && !pattern.test(name)) return false
    return tags.size === 0 || own.some((tag) => tags.has(tag))
  })
  if (selected.length === 0) {
    const message = `none of the ${entries.length} cases matches the filter`
    throw new ConfigError({ code: 'none_selected', message })
  }
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
