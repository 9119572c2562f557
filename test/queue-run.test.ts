import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { hashCase } from '../src/cases/entry.ts'
import { authority, startSilentServer, startTls } from './support/proxy.ts'
import { describeWithRedis, startRedis, stopRedisAfterAll } from './support/redis.ts'
import { freePort } from './support/redis-server.ts'
import {
  ended,
  installViva,
  jsonl,
  project,
  results,
  shared,
  spawnViva,
  startViva,
  viva,
} from './support/viva.ts'
import { startWorker } from './support/workers.ts'

stopRedisAfterAll()
const server = shared(() => startRedis())

let queues = 0
/** A queue of its own, so that tests do not share workers. */
async function queue(): Promise<string> {
  queues += 1
  return `${(await server()).url}?name=run-${queues}`
}

/** Notes when it begins and ends. */
const agent = `import { appendFileSync } from 'node:fs'
export default async (message) => {
  appendFileSync('played', 'start ' + message + '\\n')
  await new Promise((done) => setTimeout(done, 30))
  appendFileSync('played', 'end\\n')
  return { content: 'yes', usage: { cost: 0.4 } }
}
`
const assert = { type: 'contains', value: 'yes' }
const cases = (count: number) =>
  jsonl(...Array.from({ length: count }, (_, number) => ({ id: `c${number}`, input: `${number}`, assert })))
const inputs = ['-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'out.jsonl']

function suite(files: Record<string, string> = {}): string {
  return project({
    'viva.config.json': '{}',
    'agent.mjs': agent,
    'cases.jsonl': cases(12),
    played: '',
    ...files,
  })
}

const played = (cwd: string) => readFileSync(join(cwd, 'played'), 'utf8').trim().split('\n')

/** How many cases were played at once at most. */
function mostAtOnce(cwd: string): number {
  let [atOnce, most] = [0, 0]
  for (const line of played(cwd)) {
    atOnce += line.startsWith('start') ? 1 : -1
    most = Math.max(most, atOnce)
  }
  return most
}

/** The results of a run on this machine, which those of a worker must equal. */
async function playBoth(cwd: string, ...input: string[]): Promise<string[]> {
  const url = await queue()
  startWorker(url, cwd)
  const local = await viva(['test', '-i', ...input, '-o', 'local.jsonl'], { cwd })
  const remote = await viva(['test', '-i', ...input, '-o', 'out.jsonl', '--queue', url], { cwd })
  expect([remote.exitCode, remote.stderr]).toEqual([local.exitCode, local.stderr])
  const [here, there] = ['local.jsonl', 'out.jsonl'].map((name) =>
    results(join(cwd, name))
      .map(({ id, status, output }) => `${id} ${status} ${output}`)
      .sort(),
  )
  expect(there).toEqual(here)
  return there ?? []
}

describeWithRedis('what viva test decides for all workers', () => {
  it('--max-cost starts no further case when it is spent', { timeout: 60_000 }, async () => {
    const config = { prices: { 'agent.mjs': { input: 1000, output: 1000 } } }
    const cwd = suite({ 'viva.config.json': JSON.stringify(config) })
    const url = await queue()
    startWorker(url, cwd, ['--concurrency', '1'])
    const { stdout, exitCode } = await viva(['test', ...inputs, '--queue', url, '--max-cost', '0.7'], { cwd })
    expect(exitCode).toBe(1)
    expect(stdout).toContain('--max-cost $0.70 is reached')
    const notRun = results(join(cwd, 'out.jsonl')).filter(({ status }) => status === 'not_run')
    expect(notRun.length).toBeGreaterThan(5)
  })

  it('--runs auto repeats a case until it is clear', { timeout: 60_000 }, async () => {
    const cwd = suite({ 'cases.jsonl': cases(2) })
    const url = await queue()
    startWorker(url, cwd)
    const auto = ['--runs', 'auto', '--gate', '0.5', '--max-runs', '40']
    const { stdout, exitCode } = await viva(['test', ...inputs, '--queue', url, ...auto], { cwd })
    expect(exitCode).toBe(0)
    const local = await viva(['test', ...inputs.slice(0, 4), '-o', 'local.jsonl', ...auto], { cwd })
    const gate = (text: string) => /^ *Gate:.*$/m.exec(text)?.[0]
    expect(gate(stdout)).toBe(gate(local.stdout))
    expect(results(join(cwd, 'out.jsonl')).length).toBeLessThan(40)
  })

  it('suites are played as on this machine', { timeout: 60_000 }, async () => {
    const cwd = suite({
      'own.suite.mjs': `import { createEvalSuite } from 'vivavoce'
export default createEvalSuite({ agent: { name: 'shout', execute: async (input) => input.toUpperCase() } })
export const cases = [{ id: 'loud', input: 'hi', expectedOutput: 'HI' }, { id: 'wrong', input: 'a', expectedOutput: 'b' }]
`,
    })
    installViva(cwd)
    expect(await playBoth(cwd, 'own.suite.mjs')).toEqual(['loud passed HI', 'wrong failed A'])
  })

  it('stubs replace the tools of the agent', { timeout: 60_000 }, async () => {
    const cwd = suite({
      'shop.mjs': `export default async (id, ctx) => {
  const { lookUp } = ctx.tools({ lookUp: async () => ({ status: 'sent' }) })
  return (await lookUp({ id })).status
}
`,
      'stubbed.jsonl': jsonl(
        { id: 'own', input: 'A7' },
        { id: 'stubbed', input: 'A7', stubs: { lookUp: { result: { status: 'lost' } } } },
      ),
    })
    expect(await playBoth(cwd, 'stubbed.jsonl', '-n', './shop.mjs')).toEqual([
      'own passed sent',
      'stubbed passed lost',
    ])
  })

  it('cases whose services are reset run one at a time on each worker', { timeout: 60_000 }, async () => {
    const cwd = suite({
      'server.mjs': `import { createServer } from 'node:http'
createServer((_, answer) => answer.end('ok')).listen(Number(process.env.PORT), '127.0.0.1')
`,
    })
    const port = String(await freePort())
    const url = `http://127.0.0.1:${port}/`
    const service = { command: 'node server.mjs', url, reset: `${url}reset`, env: { PORT: port } }
    writeFileSync(join(cwd, 'viva.config.json'), JSON.stringify({ services: [service] }))
    const address = await queue()
    const worker = startWorker(address, cwd)
    const { exitCode } = await viva(['test', ...inputs, '--queue', address], { cwd })
    expect(exitCode).toBe(0)
    expect(worker.output()).toContain('(agent.mjs), 1 case at once')
    expect(mostAtOnce(cwd)).toBe(1)
  })

  it('--dry-run plays nothing, and needs no Redis', async () => {
    const cwd = suite()
    const { exitCode } = await viva(
      ['test', ...inputs.slice(0, 4), '--dry-run', '--queue', 'redis://127.0.0.1:1'],
      { cwd },
    )
    expect(exitCode).toBe(0)
  })
})

describeWithRedis('a worker that is late', () => {
  it('leaves nothing in Redis of a run that has ended meanwhile', { timeout: 60_000 }, async () => {
    const config = `import { existsSync } from 'node:fs'
while (process.env.LATE && existsSync('wait')) await new Promise((done) => setTimeout(done, 20))
export default {}
`
    const cwd = project({
      'viva.config.mjs': config,
      'agent.mjs': agent,
      'cases.jsonl': cases(2),
      played: '',
    })
    const { url, client } = await startRedis()
    const workers = [startWorker(url, cwd), startWorker(url, cwd, [], { LATE: '1' })]
    for (const worker of workers) await worker.printed('waits for runs')
    writeFileSync(join(cwd, 'wait'), '')
    expect((await viva(['test', ...inputs, '--queue', url], { cwd })).exitCode).toBe(0)
    expect(workers[1]?.output()).not.toContain('Takes part in run')
    rmSync(join(cwd, 'wait'))
    for (const worker of workers) await worker.printed('has ended')
    for (const { process, ended } of workers) {
      process.kill('SIGINT')
      await ended
    }
    expect((await client.keys('*')).filter((key) => !/:ended$|:stalled-check$/.test(key))).toEqual([])
  })
})

describeWithRedis('a run that is interrupted', () => {
  it('leaves nothing in Redis, and goes on with --resume', { timeout: 60_000 }, async () => {
    const cwd = suite({ 'cases.jsonl': cases(80) })
    const { url, client } = await startRedis()
    startWorker(url, cwd)
    const child = startViva(['test', ...inputs, '--queue', url], { cwd })
    const end = ended(child)
    const path = join(cwd, 'out.jsonl')
    while (!existsSync(path) || results(path).length < 10) await wait(25)
    child.kill('SIGINT')
    expect((await end).exitCode).toBe(130)
    // The worker notices, and ends what it plays.
    await wait(1500)
    const left = (await client.keys('*')).filter((key) => !/:(worker|workers|ended)(:|$)/.test(key))
    expect(left).toEqual([])
    const again = await viva(
      ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--queue', url, '--resume', 'out.jsonl'],
      { cwd },
    )
    expect([again.exitCode, again.stdout]).toEqual([0, expect.stringContaining('Passed:  80')])
    expect(again.stdout).not.toContain('superseded')
  })

  it('is joined again by a worker that refused it, when the reason is gone', {
    timeout: 60_000,
  }, async () => {
    const cwd = suite()
    const other = suite({ 'cases.jsonl': cases(3) })
    const url = await queue()
    startWorker(url, other)
    const asked = ['test', ...inputs, '--queue', url, '--worker-timeout', '3s']
    expect((await viva(asked, { cwd })).exitCode).toBe(3)
    writeFileSync(join(other, 'cases.jsonl'), readFileSync(join(cwd, 'cases.jsonl')))
    const again = await viva(
      [...asked.filter((word) => word !== '-o' && word !== 'out.jsonl'), '--resume', 'out.jsonl'],
      {
        cwd,
      },
    )
    expect([again.exitCode, again.stdout]).toEqual([0, expect.stringContaining('Passed:  12')])
  })
})

describeWithRedis('a worker that cannot open a run', () => {
  it('tells viva test why', { timeout: 60_000 }, async () => {
    const services = [{ command: 'node nothing.mjs', url: 'http://127.0.0.1:9/' }]
    const cwd = suite({ 'viva.config.json': JSON.stringify({ services }) })
    const url = await queue()
    const worker = startWorker(url, cwd)
    const run = await viva(['test', ...inputs, '--queue', url, '--worker-timeout', '4s'], { cwd })
    expect(run.exitCode).toBe(3)
    expect(run.stdout + run.stderr).toMatch(
      /Worker \S+ does not take part: service `node nothing.mjs` exited/,
    )
    expect((await worker.ended).exitCode).toBe(3)
  })
})

describeWithRedis('a job that brings a case of its own', () => {
  it('is refused in a run whose cases are in files', { timeout: 60_000 }, async () => {
    const cwd = suite()
    const url = await queue()
    const { client } = await server()
    const prefix = `viva:run-${queues}`
    const worker = startWorker(url, cwd, ['--concurrency', '1'])
    const child = startViva(['test', ...inputs, '--queue', url], { cwd })
    await worker.printed('Takes part')
    const [run = ''] = await client.hkeys(`${prefix}:runs`)
    const { Queue } = await import('bullmq')
    const jobs = new Queue(`jobs-${run}`, { connection: client, prefix })
    const written = { id: 'forged', input: 'forged message' }
    const forged = { file: '', id: 'forged', hash: hashCase(written), line: 1, written }
    await jobs.add('job', JSON.stringify({ variant: 'agent.mjs', run: 1, attempt: 1, cases: [forged] }), {
      jobId: 'forged',
      lifo: true,
    })
    expect((await ended(child)).exitCode).toBe(0)
    expect(played(cwd)).not.toContain('start forged message')
    expect(results(join(cwd, 'out.jsonl'))).toHaveLength(12)
    await jobs.close()
  })
})

describeWithRedis('a server that cannot be used', () => {
  const refused = async (url: string) => {
    const { exitCode, stderr } = await viva(['test', ...inputs, '--queue', url], { cwd: suite() })
    return [exitCode, stderr]
  }

  it('is full', async () => {
    const { url } = await startRedis('--maxmemory', '1')
    expect(await refused(url)).toEqual([
      3,
      expect.stringContaining('cannot be used: Redis is full (raise its maxmemory)'),
    ])
  })

  it('is a cluster', async () => {
    const { url } = await startRedis('--cluster-enabled', 'yes')
    expect(await refused(url)).toEqual([2, expect.stringContaining('is a Redis Cluster')])
  })

  it('is a replica', async () => {
    const { port } = await server()
    const { url } = await startRedis('--replicaof', `127.0.0.1 ${port}`)
    expect(await refused(url)).toEqual([2, expect.stringContaining('is a read-only replica')])
  })

  it('does not have the database of the address', async () => {
    const { url, client } = await startRedis()
    await client.hset('viva:runs', '20260101000000-00000000', 'in database 0')
    for (const number of ['99', '99999999999999']) {
      const message = `${url}/${number}: the server has no database ${number}`
      expect(await refused(`${url}/${number}`)).toEqual([2, expect.stringContaining(message)])
      const cleaned = await viva(['queue', 'clean', '--queue', `${url}/${number}`], { cwd: suite() })
      expect([cleaned.exitCode, cleaned.stderr]).toEqual([2, expect.stringContaining(message)])
    }
    expect(await client.hlen('viva:runs')).toBe(1)
    const other = await viva(['queue', 'status', '--queue', `${url}/15`], { cwd: suite() })
    expect([other.exitCode, other.stdout]).toEqual([0, expect.not.stringContaining('20260101000000')])
  })

  it('does not let the user have the database of the address', async () => {
    const { url, client } = await startRedis()
    await client.call('ACL', 'SETUSER', 'bob', 'on', '>pw', '~*', '&*', '+@all', '-select')
    const address = url.replace('//', '//bob:pw@')
    const allowed = await viva(['queue', 'status', '--queue', address], { cwd: suite() })
    expect(allowed.exitCode).toBe(0)
    expect(await refused(`${address}/3`)).toEqual([2, expect.stringContaining("run the 'select' command")])
  })

  it('never answers', { timeout: 30_000 }, async () => {
    const { address } = await startSilentServer()
    expect(await refused(`redis://${address}`)).toEqual([
      3,
      expect.stringContaining('it does not answer like a Redis server'),
    ])
  })
})

describeWithRedis('a server with TLS', () => {
  it('is used with rediss://, with the certificates that Node.js trusts', { timeout: 60_000 }, async () => {
    const { url } = await startRedis('--requirepass', 'sesame')
    const secure = (await startTls(url)).replace('https:', 'rediss:')
    const cwd = suite({ 'ca.pem': authority })
    const env = { NODE_EXTRA_CA_CERTS: join(cwd, 'ca.pem'), VIVA_QUEUE_PASSWORD: 'sesame' }
    startWorker(secure, cwd, [], env)
    const { exitCode, stdout } = await spawnViva(['test', ...inputs, '--queue', secure], { cwd, env })
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Passed:  12')])
    const untrusted = await spawnViva(['test', ...inputs, '--queue', secure], {
      cwd,
      env: { VIVA_QUEUE_PASSWORD: 'sesame' },
    })
    expect([untrusted.exitCode, untrusted.stderr]).toEqual([3, expect.stringContaining('certificate')])
  })
})
