import { ConfigError, type Problem } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { flagNames } from '../setup/option-names.ts'
import { type AutoRuns, autoRunsProblem, defaultAutoRuns, withoutAutoProblem } from '../setup/run-rules.ts'
import { changedFlagProblems } from './changed-flags.ts'
import { longName } from './flag.ts'
import { flagList, type GivenFlags } from './flags.ts'
import { queueFlagProblems } from './queue-flags.ts'
import { recordingFlagProblems } from './recording-flags.ts'
import { shardFlagProblems } from './shard-flags.ts'
import { watchFlagProblems } from './watch/flag-problems.ts'

/** Refuses values that are none, and flags that cannot be combined. */
export function checkFlags(given: GivenFlags): void {
  const problems = flagList().flatMap(([name, flag]) => {
    const value = given[name]
    if (value === undefined) return []
    return [value].flat().flatMap((each) => {
      const problem = typeof each === 'string' ? flag.problem?.(each) : undefined
      return problem ? [{ code: 'bad_flag', message: `${longName(flag)} ${each}: ${problem}` }] : []
    })
  })
  const wrong = problems.length > 0 ? problems : wrongTogether(given)
  if (wrong.length > 0) throw new ConfigError(wrong)
}

/** Each is right, but not beside the others. */
function wrongTogether(given: GivenFlags): Problem[] {
  const problem = (message: string, hint?: string) => [{ code: 'bad_flag', message, ...(hint && { hint }) }]
  const unchangeable = changedFlagProblems(given)
  if (unchangeable.length > 0) return unchangeable
  const unwatchable = given.watch === true ? watchFlagProblems(given) : []
  if (unwatchable.length > 0) return unwatchable
  const unshardable = shardFlagProblems(given)
  if (unshardable.length > 0) return unshardable
  const unqueueable = queueFlagProblems(given)
  if (unqueueable.length > 0) return unqueueable
  const unrecordable = recordingFlagProblems(given)
  if (unrecordable.length > 0) return unrecordable
  if (given.alpha !== undefined && given.baseline === undefined) return problem('--alpha is for --baseline')
  const { confidence, maxRuns } = given
  const gates = defined({ case: numberOf(given.gate), suite: numberOf(given.gateSuite) })
  const wrong =
    given.runs === 'auto'
      ? autoRunsProblem(gates, autoRuns(given), flagNames)
      : withoutAutoProblem({ confidence, maxRuns }, flagNames)
  return wrong === undefined ? [] : [{ code: 'bad_flag', ...wrong }]
}

/** What `--runs auto` is to find out. */
export function autoRuns({ confidence, maxRuns }: GivenFlags): AutoRuns {
  return {
    confidence: numberOf(confidence) ?? defaultAutoRuns.confidence,
    maxRuns: numberOf(maxRuns) ?? defaultAutoRuns.maxRuns,
  }
}

function numberOf(value: GivenFlags[keyof GivenFlags]): number | undefined {
  return value === undefined ? undefined : Number(value)
}
