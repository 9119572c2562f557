import { ConfigError } from '../errors.ts'
import { locateProject } from '../project/project.ts'
import { parseQueueAddress } from '../run/workers/address.ts'
import { connectQueue, type QueueConnection } from '../run/workers/redis.ts'
import { createSeal, type Seal, secretVariable } from '../run/workers/seal.ts'
import type { Shell } from '../system/shell.ts'

/** Connects to the queue that a command names. */
export async function openQueue(
  queue: string | undefined,
  { cwd, env }: Pick<Shell, 'cwd' | 'env'>,
): Promise<{ connection: QueueConnection; seal: Seal }> {
  if (queue === undefined)
    throw new ConfigError({
      code: 'bad_flag',
      message: '--queue is missing',
      hint: '--queue redis://host:6379',
    })
  const { env: projectEnv } = locateProject(cwd, cwd, env)
  const connection = await connectQueue(parseQueueAddress(queue, projectEnv))
  return { connection, seal: createSeal(projectEnv[secretVariable]) }
}
