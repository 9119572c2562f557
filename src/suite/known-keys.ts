import { ConfigError } from '../errors.ts'
import { isRecord } from '../json/json.ts'
import { nearest } from '../text/nearest.ts'

/** A misspelt key would be ignored in silence: it is an error, also for those who write no types. */
export function refuseUnknown(value: unknown, known: readonly string[], where: string): void {
  if (!isRecord(value)) throw new ConfigError({ code: 'bad_case', message: `${where} must be an object` })
  const unknown = Object.keys(value).find((key) => !known.includes(key))
  if (unknown === undefined) return
  const guess = nearest(unknown, known)
  throw new ConfigError({
    code: 'unknown_key',
    message: `${where}: unknown key "${unknown}"${guess === undefined ? '' : ` (did you mean "${guess}"?)`}`,
  })
}
