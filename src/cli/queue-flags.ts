import type { Problem } from '../errors.ts'
import { longName } from './flag.ts'
import { flags, type GivenFlags } from './flags.ts'

/** What a run whose cases are played by workers cannot do, and what to do instead. */
const notWithQueue = {
  watch: 'it runs on this machine',
  interactive: 'nobody can be asked by a worker',
  parallel: 'each worker has its own: viva worker --concurrency',
  coverage: 'the tests run in other processes',
  updateSnapshots: 'workers write no snapshots; run these cases without --queue',
} as const

/** Flags that are not for a queue, or only for one. */
export function queueFlagProblems(given: GivenFlags): Problem[] {
  if (given.queue === undefined) {
    if (given.workerTimeout === undefined) return []
    return [{ code: 'bad_flag', message: '--worker-timeout is for --queue' }]
  }
  return Object.entries(notWithQueue).flatMap(([name, hint]) => {
    const flag = name as keyof typeof notWithQueue
    if (given[flag] === undefined || given[flag] === false) return []
    return [{ code: 'bad_flag', message: `--queue cannot be combined with ${longName(flags[flag])}`, hint }]
  })
}
