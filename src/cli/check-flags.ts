import { ConfigError } from '../errors.ts'
import { flagList, type GivenFlags, longName } from './flags.ts'

/** Refuses flags whose behaviour is not built yet, and values that are none. */
export function checkFlags(given: GivenFlags): void {
  const problems = flagList().flatMap(([name, flag]) => {
    const value = given[name]
    if (value === undefined) return []
    if (flag.notYet && value !== flag.default)
      return [{ code: 'not_yet', message: `${longName(flag)} is not supported yet` }]
    const problem = typeof value === 'string' ? flag.problem?.(value) : undefined
    return problem ? [{ code: 'bad_flag', message: `${longName(flag)} ${value}: ${problem}` }] : []
  })
  if (problems.length > 0) throw new ConfigError(problems)
}
