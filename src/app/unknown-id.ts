import { defined } from '../defined.ts'
import { ConfigError } from '../errors.ts'
import { nearest } from '../nearest.ts'

/** `unknown connector "fast": there are slow (did you mean "…"?)` */
export function unknownId(what: string, code: string, id: string, known: Iterable<string>): ConfigError {
  const ids = [...known].sort()
  const guess = nearest(id, ids)
  return new ConfigError({
    code,
    message: `unknown ${what} "${id}"${ids.length === 0 ? ': there are none' : `: there are ${ids.join(', ')}`}`,
    ...defined({ hint: guess && `did you mean "${guess}"?` }),
  })
}
