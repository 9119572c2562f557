import { ConfigError } from '../../errors.ts'

export type QueuePackages = typeof import('bullmq') & { Redis: typeof import('ioredis').Redis }

/** Large, and needed by few runs, so that users install them themselves. */
export async function importQueuePackages(): Promise<QueuePackages> {
  try {
    const [bullmq, { Redis }] = await Promise.all([import('bullmq'), import('ioredis')])
    return { ...bullmq, Redis }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new ConfigError({
      code: 'missing_package',
      message: 'a queue needs packages that are not installed',
      hint: 'npm install bullmq@6.7.0 ioredis@6.0.0',
    })
  }
}
