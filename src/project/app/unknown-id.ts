import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { findNearest } from '../../text/nearest.ts'

/** `unknown connector "fast": there are slow (did you mean "…"?)` */
export function unknownIdError(what: string, code: string, id: string, known: Iterable<string>): ConfigError {
  const ids = [...known].sort()
  const guesses = suggestIds(id, ids).map((guess) => `"${guess}"`)
  return new ConfigError({
    code,
    message: `unknown ${what} "${id}"${ids.length === 0 ? ': there are none' : `: there are ${ids.join(', ')}`}`,
    ...defined({ hint: guesses.length === 0 ? undefined : `did you mean ${guesses.join(' or ')}?` }),
  })
}

/** Ids that end with the given one, as `agents.expense.tools` ends with `tools`; else the one with the nearest spelling. */
function suggestIds(id: string, ids: readonly string[]): string[] {
  const longer = ids.filter((known) => known.endsWith(`.${id}`))
  if (longer.length > 0) return longer
  const guess = findNearest(id, ids)
  return guess === undefined ? [] : [guess]
}
