import { afterAll, describe } from 'vitest'
import { isRedisInstalled, startRedisServer, type TestRedis } from './redis-server.ts'

export type { TestRedis } from './redis-server.ts'

/** Tests with a real Redis server. Without one they are skipped with a warning, or fail with VIVA_REQUIRE_ALL=1. */
export function describeWithRedis(title: string, tests: () => void) {
  if (!isRedisInstalled() && process.env.VIVA_REQUIRE_ALL !== '1') {
    console.warn(`SKIPPED: "${title}": no redis-server is installed`)
    describe.skip(title, tests)
  } else describe(title, tests)
}

const servers: TestRedis[] = []

/** Call once in a test file that starts servers. */
export function stopRedisAfterAll() {
  afterAll(async () => {
    for (const server of servers.splice(0)) await server.stop()
  })
}

/** Starts a server on loopback that is stopped after all tests. By default it keeps nothing when it ends. */
export async function startRedis(...flags: string[]): Promise<TestRedis> {
  const server = await startRedisServer(...flags)
  servers.push(server)
  return server
}
