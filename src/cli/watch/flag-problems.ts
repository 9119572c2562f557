import type { Problem } from '../../errors.ts'
import { longName } from '../flag.ts'
import { flags, type GivenFlags } from '../flags.ts'

/** Flags of runs that end, or that need the keyboard or stdout for themselves. */
const notWithWatch = ['interactive', 'json', 'list', 'dryRun', 'resume', 'record', 'shard'] as const

/** What cannot be watched, as far as the flags say it. */
export function watchFlagProblems(given: GivenFlags): Problem[] {
  const problem = (message: string, hint?: string) => [{ code: 'bad_flag', message, ...(hint && { hint }) }]
  const other = notWithWatch.find((name) => given[name] !== undefined && given[name] !== false)
  if (other !== undefined) return problem(`--watch cannot be combined with ${longName(flags[other])}`)
  if ([given.input ?? []].flat().includes('-'))
    return problem(
      '--watch cannot read cases from stdin: they are needed again for every run',
      'write them to a file',
    )
  const reports = [given.reporter ?? []].flat().filter((name) => name !== 'github').length
  return reports > [given.output ?? []].flat().length
    ? problem('--watch cannot print a report on stdout after every run', 'give each -r an -o')
    : []
}
