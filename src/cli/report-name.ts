import { ConfigError } from '../errors.ts'
import { reportNames } from '../reporters/built-in.ts'
import { findNearest } from '../text/nearest.ts'

/** For commands in which no agent writes reports. */
export function checkReportName(name: string, known: readonly string[] = reportNames): void {
  if (known.includes(name)) return
  const guess = findNearest(name, known)
  throw new ConfigError({
    code: 'bad_flag',
    message: `-r ${name}: there is no such report${guess === undefined ? '' : ` (did you mean ${guess}?)`}`,
    hint: `there are ${known.join(', ')}`,
  })
}
