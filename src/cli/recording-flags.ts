import type { Problem } from '../errors.ts'
import { flagNames } from '../setup/option-names.ts'
import { notWithReplay, replayProblem } from '../setup/run-rules.ts'
import { longName } from './flag.ts'
import { flags, type GivenFlags } from './flags.ts'

/** The flag that asks for a verdict on the agent, and why replayed results give none. */
export function refusedVerdict(given: GivenFlags): { name: string; reason: string } | undefined {
  const flag = notWithReplay.find((name) => given[name] !== undefined)
  return flag && { name: longName(flags[flag]), reason: 'recorded answers say nothing new about the agent' }
}

/** What cannot be recorded or replayed, as far as the flags say it. */
export function recordingFlagProblems(given: GivenFlags): Problem[] {
  const { record, replay, interactive, runs, dryRun, list } = given
  const problem = (message: string) => [{ code: 'bad_flag', message }]
  const flag = record === undefined ? '--replay' : '--record'
  if ((record ?? replay) !== undefined && interactive === true)
    return problem(`${flag} cannot be combined with --interactive: what a person types is not recorded`)
  if (replay !== undefined && runs === 'auto')
    return problem('--runs auto cannot be combined with --replay: use --runs N, as often as was recorded')
  if (record === '' || replay === '') return problem(`${flag} needs the name of a file`)
  if (record !== undefined && (dryRun === true || list === true))
    return problem('--record has nothing to record with --dry-run or --list')
  const { live, replayMissing, gate, gateSuite, gateStable, baseline } = given
  const asked = { replay, live, replayMissing, gate, gateSuite, gateStable, baseline }
  const wrong = replayProblem(asked, flagNames)
  return wrong === undefined ? [] : [{ code: 'bad_flag', ...wrong }]
}
