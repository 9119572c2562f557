import type { Problem } from '../errors.ts'
import { longName } from './flag.ts'
import { flags, type GivenFlags } from './flags.ts'

/** What only the whole run can be judged by. */
const forWholeRuns = ['gateSuite', 'baseline', 'maxInfrastructureErrors'] as const

/** Flags that a part of a run cannot have. */
export function shardFlagProblems(given: GivenFlags): Problem[] {
  if (given.shard === undefined) {
    if (given.shardBy === undefined) return []
    return [{ code: 'bad_flag', message: '--shard-by is for --shard' }]
  }
  return forWholeRuns
    .filter((name) => given[name] !== undefined)
    .map((name) => ({
      code: 'bad_flag',
      message: `${longName(flags[name])} is about all cases together, and a shard has only some of them`,
      hint: 'give it to viva merge',
    }))
}
