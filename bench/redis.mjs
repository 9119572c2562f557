/** A Redis of its own for the benchmarks that need one. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'

/** Starts it on a free port. Throws if none is installed. */
export async function startRedis(folder) {
  const port = await freePort()
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '']
  const child = spawn('redis-server', own, { stdio: 'ignore' })
  await once(child, 'spawn')
  const client = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: null })
  client.on('error', () => {})
  await client.ping()
  let queues = 0
  return {
    /** The address of a queue that nobody uses yet. */
    nextQueue: () => `redis://127.0.0.1:${port}?name=bench-${++queues}`,
    usedBytes: async () => Number(/used_memory_dataset:(\d+)/.exec(await client.info('memory'))[1]),
    /** In all queues. */
    async waitingJobs() {
      const lists = await client.keys('*:wait')
      const lengths = await Promise.all(lists.map((list) => client.llen(list)))
      return lengths.reduce((sum, length) => sum + length, 0)
    },
    async stop() {
      client.disconnect()
      child.kill('SIGKILL')
      await Promise.all([once(child, 'exit'), wait(10)])
    },
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
