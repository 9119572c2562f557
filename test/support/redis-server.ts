import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'

export function isRedisInstalled(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export interface TestRedis {
  url: string
  port: number
  /** For looking into it. */
  client: Redis
  /** Ends the process, and starts another one on the same port with what it has kept. */
  restart(): Promise<void>
  kill(): Promise<void>
  start(): Promise<void>
  /** Ends it, and removes its data. */
  stop(): Promise<void>
}

/** Starts a server on loopback. By default it keeps nothing when it ends. */
export async function startRedisServer(...flags: string[]): Promise<TestRedis> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'viva-redis-'))
  let child: ChildProcess | undefined
  const start = async () => {
    const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '']
    child = spawn('redis-server', [...own, ...flags], { stdio: 'ignore' })
    await answering(port)
  }
  const kill = async () => {
    const ended = new Promise((resolve) => child?.once('exit', resolve))
    child?.kill('SIGKILL')
    await ended
  }
  await start()
  const client = new Redis(port, '127.0.0.1', { lazyConnect: true, maxRetriesPerRequest: null })
  client.on('error', () => {})
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    client,
    start,
    kill,
    restart: () => kill().then(start),
    async stop() {
      client.disconnect()
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answering(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const probe = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null })
    let refusal = ''
    probe.on('error', (error: unknown) => {
      refusal = String(error)
    })
    try {
      await probe.connect()
      return
    } catch (error) {
      // It answers, whatever it says.
      if (/AUTH|PASS/.test(`${refusal} ${String(error)}`)) return
    } finally {
      probe.disconnect()
    }
    await wait(25)
  }
  throw new Error('redis-server does not answer')
}

/** For a server that cannot choose its port itself. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
