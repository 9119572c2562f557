import type { Problem } from '../errors.ts'
import { longName } from './flag.ts'
import { flags, type GivenFlags } from './flags.ts'

/** What needs all cases, or none that are carried over, and what to do instead. */
const notWithChanged = {
  watch: 'it runs again only what a change affects',
  record: 'a recording must have the calls of all cases; record without --changed',
  replay: 'recorded answers cost nothing; replay all cases',
  coverage: 'coverage is that of all tests; measure it without --changed',
} as const

/** Flags that a run cannot have in which some cases are carried over. */
export function changedFlagProblems(given: GivenFlags): Problem[] {
  if (given.changed !== true) return []
  return Object.entries(notWithChanged).flatMap(([name, hint]) => {
    const flag = name as keyof typeof notWithChanged
    if (given[flag] === undefined || given[flag] === false) return []
    return [{ code: 'bad_flag', message: `--changed cannot be combined with ${longName(flags[flag])}`, hint }]
  })
}
