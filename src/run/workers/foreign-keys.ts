import type { Redis } from 'ioredis'
import { ConfigError, errorMessage } from '../../errors.ts'
import type { QueueAddress } from './address.ts'
import { listKeyTypes } from './keys.ts'

interface Server {
  redis: Redis
  address: QueueAddress
}

/** Refuses a server on which somebody else uses the names of our keys. `run`: looks at the keys of this run, too. */
export async function refuseForeignKeys({ redis, address }: Server, run?: string): Promise<void> {
  const expected = listKeyTypes(address.prefix, run)
  const found = await Promise.all(expected.map(([key]) => redis.type(key)))
  for (const [place, [key, type]] of expected.entries())
    if (found[place] !== 'none' && found[place] !== type)
      throw new ConfigError({
        code: 'bad_queue',
        message: `the key ${key} in ${address.shown} is not of viva: it is a ${found[place]}, where viva keeps a ${type}`,
        hint: `use another database (redis://host:6379/1) or another name (?name=mine), or remove the key: redis-cli del ${key}`,
      })
}

/** Does something with the keys of a queue. An error about the type of a key says which one it is, and what to do. */
export async function namingForeignKeys<T>(server: Server, work: () => Promise<T>, run?: string): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (/\bWRONGTYPE\b/.test(errorMessage(error))) await refuseForeignKeys(server, run)
    throw error
  }
}
