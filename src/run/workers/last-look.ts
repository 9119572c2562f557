import { setTimeout as wait } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { UnfinishedJob } from './atomic.ts'
import type { QueueKeys } from './keys.ts'
import { statusKeptMs } from './worker-watch.ts'

/** A worker says every two seconds that it is there, and once more when its run has ended. */
const mostSilentMs = 5000
const lookMs = 100

export interface LastLookOptions {
  redis: Redis
  keys: Pick<QueueKeys, 'worker'>
  find(): Promise<UnfinishedJob[]>
  onFound(found: readonly UnfinishedJob[]): void
}

/**
 * Looks at the jobs of a run that has ended, until each worker that plays one was heard of since, or is silent for too
 * long: then the job has ended it.
 */
export async function lookLast({ redis, keys, find, onFound }: LastLookOptions): Promise<void> {
  const since = performance.now()
  for (;;) {
    const found = await find()
    const silent = await measureSilence(redis, keys, found)
    const silentMs = ({ holder = '' }: UnfinishedJob) => silent.get(holder) ?? 0
    onFound(found.map((job) => (silentMs(job) > mostSilentMs ? { ...job, lost: job.lost + 1 } : job)))
    const waitedMs = performance.now() - since
    if (found.every((job) => silentMs(job) < waitedMs || silentMs(job) > mostSilentMs)) return
    await wait(lookMs)
  }
}

/** For how long nothing was heard of the workers that play jobs. */
async function measureSilence(
  redis: Redis,
  keys: Pick<QueueKeys, 'worker'>,
  jobs: readonly UnfinishedJob[],
): Promise<Map<string, number>> {
  const holders = [...new Set(jobs.flatMap(({ holder }) => holder ?? []))]
  const left = await Promise.all(holders.map((id) => redis.pttl(keys.worker(id))))
  // Of one that is forgotten, it is negative.
  return new Map(holders.map((id, place) => [id, statusKeptMs - (left[place] ?? 0)]))
}
