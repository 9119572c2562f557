import type { Queue } from 'bullmq'
import { listRunKeys, queueKeys } from './keys.ts'
import type { QueueConnection } from './redis.ts'

/** How long workers can see that a run has ended. */
const endedSeconds = 600

/** Removes everything of a run from Redis. Workers that play it stop. */
export async function removeRun(
  { redis, address }: QueueConnection,
  run: string,
  queue: Pick<Queue, 'obliterate'>,
): Promise<void> {
  const keys = queueKeys(address.prefix)
  const own = keys.run(run)
  await redis.pipeline().set(own.ended, '1', 'EX', endedSeconds).hdel(keys.runs, run).exec()
  await queue.obliterate({ force: true })
  await redis.del(...listRunKeys(own))
}
