import { ConfigError, messageOf } from '../errors.ts'
import { compilePattern, type Pattern } from '../pattern.ts'
import type { CaseEntry } from './entry.ts'

export interface Selection {
  /** Go's regular expression on the id (and name), unanchored. */
  run?: string
  /** Tags of which a case must have one. */
  tags?: readonly string[]
}

/** Which cases to play. A bad pattern is told before any file is read. */
export function compileSelection(selection: Selection): (entry: CaseEntry) => boolean {
  const pattern = selection.run === undefined ? undefined : compileRun(selection.run)
  const tags = new Set(selection.tags ?? [])
  return (entry) => {
    if (pattern && !pattern.test(entry.id) && !pattern.test(entry.name ?? entry.id)) return false
    return tags.size === 0 || entry.tags.some((tag) => tags.has(tag))
  }
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
