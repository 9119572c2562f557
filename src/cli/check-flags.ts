import { ConfigError, type Problem } from '../errors.ts'
import { leastRuns } from '../results/statistics/sequential.ts'
import { longName } from './flag.ts'
import { flagList, type GivenFlags } from './flags.ts'
import { watchFlagProblems } from './watch/flag-problems.ts'

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
  const wrong = problems.length > 0 ? problems : wrongTogether(given)
  if (wrong.length > 0) throw new ConfigError(wrong)
}

/** Each is right, but not beside the others. */
function wrongTogether(given: GivenFlags): Problem[] {
  const problem = (message: string, hint?: string) => [{ code: 'bad_flag', message, ...(hint && { hint }) }]
  const unwatchable = given.watch === true ? watchFlagProblems(given) : []
  if (unwatchable.length > 0) return unwatchable
  if (given.alpha !== undefined && given.baseline === undefined) return problem('--alpha is for --baseline')
  if (given.runs !== 'auto') {
    const name =
      given.confidence !== undefined ? '--confidence' : given.maxRuns !== undefined ? '--max-runs' : undefined
    return name === undefined ? [] : problem(`${name} is for --runs auto`)
  }
  if (given.gate === undefined)
    return problem('--runs auto needs --gate, the pass rate that is to be found out')
  const { gate, confidence, maxRuns } = sequentialSettings(given)
  if (gate >= 1)
    return problem(
      '--runs auto --gate 1: no number of runs shows that a case always passes',
      'use a gate below 1',
    )
  if (given.gateSuite !== undefined)
    return problem(
      '--gate-suite cannot be told with --runs auto: runs that stop when the answer is clear are no fair sample',
      'use --runs N for it',
    )
  const { reached } = leastRuns({ gate, confidence })
  return reached <= maxRuns
    ? []
    : problem(
        `--runs auto: for a gate of ${gate} to be reached takes at least ${reached} runs, --max-runs is ${maxRuns}`,
        reached * 2 <= 1000
          ? `give it --max-runs ${reached * 2}, or a lower gate or confidence`
          : 'use a lower gate or confidence',
      )
}

/** What `--runs auto` is to find out. */
export function sequentialSettings({ gate, confidence = '0.95', maxRuns = '30' }: GivenFlags): {
  gate: number
  confidence: number
  maxRuns: number
} {
  return { gate: Number(gate), confidence: Number(confidence), maxRuns: Number(maxRuns) }
}
