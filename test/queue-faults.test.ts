import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { describeWithRedis, startRedis, stopRedisAfterAll, type TestRedis } from './support/redis.ts'
import { ended, jsonl, project, readJsonl, results, startViva, viva } from './support/viva.ts'
import { type StartedWorker, startWorker, untilPrinted } from './support/workers.ts'

stopRedisAfterAll()

/** Answers after the time that the message names. `kill` ends the worker, `slow` waits for the file `go`. */
const agent = `import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync } from 'node:fs'
// It runs in a process of its own: this ends the worker.
const die = () => execFileSync('kill', ['-9', String(process.ppid)])
if (process.env.BROKEN) die()
const wait = (ms) => new Promise((done) => setTimeout(done, ms))
export default async (message) => {
  appendFileSync('played', message + ' ' + process.pid + '\\n')
  if (message.startsWith('kill')) die()
  while (message.startsWith('slow') && !existsSync('go')) await wait(20)
  await wait(Number(/\\d+/.exec(message)?.[0] ?? 5))
  return 'yes'
}
`
const assert = { type: 'contains', value: 'yes' }

function suite(messages: readonly string[]): string {
  return project({
    'viva.config.json': '{}',
    'agent.mjs': agent,
    'cases.jsonl': jsonl(...messages.map((input, number) => ({ id: `c${number}`, input, assert }))),
    played: '',
  })
}

const many = (count: number, message: string) => Array.from({ length: count }, () => message)

/** Starts `viva test --queue`. */
function start(cwd: string, url: string, ...flags: string[]) {
  const output = flags.includes('--resume') ? [] : ['-o', 'out.jsonl']
  const child = startViva(
    ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--queue', url, ...output, ...flags],
    { cwd },
  )
  return { process: child, ...untilPrinted(child), ended: ended(child) }
}

/** How often each case has an outcome in the journal. */
function outcomes(cwd: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { id, run, status, error_kind } of results(join(cwd, 'out.jsonl'))) {
    const key = `${id} ${run ?? 1}`
    const said = error_kind === undefined ? String(status) : `${status} ${error_kind}`
    found.set(key, [...(found.get(key) ?? []), said])
  }
  return found
}

/** The cases that were not counted once, as passed. */
const notOnce = (cwd: string) => [...outcomes(cwd)].filter(([, all]) => all.join() !== 'passed')

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 40_000
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('it did not become so')
    await wait(25)
  }
}

const countPlayed = (cwd: string) => readFileSync(join(cwd, 'played'), 'utf8').split('\n').length - 1

function startWorkers(count: number, url: string, cwd: string, ...flags: string[]): StartedWorker[] {
  return Array.from({ length: count }, () => startWorker(url, cwd, flags))
}

describeWithRedis('workers that die', () => {
  it('a case that kills its workers fails alone, among a thousand', { timeout: 120_000 }, async () => {
    const cwd = suite([...many(400, '1'), 'kill', ...many(599, '1')])
    const { url } = await startRedis()
    startWorkers(4, url, cwd)
    const run = start(cwd, url)
    const { exitCode } = await run.ended
    expect(exitCode).toBe(3)
    const found = outcomes(cwd)
    expect(found.get('c400 1')).toEqual(['failed worker_lost'])
    found.delete('c400 1')
    expect(found.size).toBe(999)
    expect([...found].filter(([, all]) => all.join() !== 'passed')).toEqual([])
    const poisoned = results(join(cwd, 'out.jsonl')).find(({ id }) => id === 'c400')
    expect(poisoned?.error).toContain('2 workers ended while they played it')
  })

  it('all of them at the start end the run with 3', { timeout: 90_000 }, async () => {
    const cwd = suite(many(10, '1'))
    const { url } = await startRedis()
    for (let count = 0; count < 3; count += 1) startWorker(url, cwd, [], { BROKEN: '1' })
    const run = start(cwd, url)
    expect((await run.ended).exitCode).toBe(3)
    expect(run.output()).toContain('no worker for 25s: start one with viva worker')
  })

  it('a stopped worker that goes on later is too late', { timeout: 120_000 }, async () => {
    const cwd = suite([...many(6, '1'), 'slow', ...many(6, '1')])
    const { url } = await startRedis()
    const [first] = startWorkers(1, url, cwd)
    const run = start(cwd, url)
    await until(() => readFileSync(join(cwd, 'played'), 'utf8').includes('slow'))
    first?.process.kill('SIGSTOP')
    startWorkers(1, url, cwd)
    await until(() => readFileSync(join(cwd, 'played'), 'utf8').match(/slow/g)?.length === 2)
    // Both workers play the case now. Only the result of the second one counts.
    first?.process.kill('SIGCONT')
    writeFileSync(join(cwd, 'go'), '')
    expect((await run.ended).exitCode).toBe(0)
    expect(notOnce(cwd)).toEqual([])
  })
})

describeWithRedis('workers that come and go', () => {
  it('one may come late', { timeout: 60_000 }, async () => {
    const cwd = suite(many(20, '1'))
    const { url } = await startRedis()
    const run = start(cwd, url)
    await run.printed('Queue:')
    await wait(1500)
    startWorkers(1, url, cwd)
    expect((await run.ended).exitCode).toBe(0)
    expect(notOnce(cwd)).toEqual([])
  })

  it('one that plays an earlier run is waited for, and named', { timeout: 60_000 }, async () => {
    const cwd = suite(['slow'])
    const { url, client } = await startRedis()
    startWorkers(1, url, cwd)
    const first = start(cwd, url)
    await until(() => countPlayed(cwd) === 1)
    const [name] = await client.hkeys('viva:runs')
    const second = suite(['1'])
    writeFileSync(join(second, 'cases.jsonl'), readFileSync(join(cwd, 'cases.jsonl')))
    const run = start(second, url)
    await run.printed(`1 worker is busy with run ${name}, which this run waits for`)
    writeFileSync(join(cwd, 'go'), '')
    expect((await first.ended).exitCode).toBe(0)
    expect((await run.ended).exitCode).toBe(0)
  })

  it('one that is asked to leave finishes its cases', { timeout: 60_000 }, async () => {
    const cwd = suite(['slow', ...many(3, '1')])
    const { url } = await startRedis()
    const [worker] = startWorkers(1, url, cwd, '--concurrency', '1')
    const run = start(cwd, url)
    await until(() => countPlayed(cwd) === 1)
    worker?.process.kill('SIGTERM')
    await worker?.printed('Leaves after 1 running case')
    startWorkers(1, url, cwd)
    writeFileSync(join(cwd, 'go'), '')
    expect((await worker?.ended)?.exitCode).toBe(0)
    expect((await run.ended).exitCode).toBe(0)
    expect(notOnce(cwd)).toEqual([])
    expect(countPlayed(cwd)).toBe(4)
  })

  it('one whose cases take too long hands them back', { timeout: 60_000 }, async () => {
    const cwd = suite(['slow', ...many(3, '1')])
    const { url } = await startRedis()
    const [worker] = startWorkers(1, url, cwd, '--concurrency', '1', '--grace', '200ms')
    const run = start(cwd, url)
    await until(() => countPlayed(cwd) === 1)
    worker?.process.kill('SIGTERM')
    expect((await worker?.ended)?.exitCode).toBe(0)
    startWorkers(1, url, cwd)
    await until(() => readFileSync(join(cwd, 'played'), 'utf8').match(/slow/g)?.length === 2)
    writeFileSync(join(cwd, 'go'), '')
    expect((await run.ended).exitCode).toBe(0)
    expect(notOnce(cwd)).toEqual([])
  })
})

describeWithRedis('a run that was killed', () => {
  it('is found again by --resume, with what workers have played since', { timeout: 120_000 }, async () => {
    const cwd = suite(many(60, '100'))
    const { url, client } = await startRedis()
    startWorkers(2, url, cwd)
    const run = start(cwd, url)
    await until(() => existsSync(join(cwd, 'out.jsonl')) && results(join(cwd, 'out.jsonl')).length > 5)
    run.process.kill('SIGKILL')
    await run.ended
    const [first] = await client.hkeys('viva:runs')
    await wait(1000)
    expect(await client.xlen(`viva:run:${first}:reports`)).toBeGreaterThan(0)
    const status = await viva(['queue', 'status', '--queue', url], { cwd })
    expect(status.stdout).toMatch(
      new RegExp(
        `^2 workers\n(Worker .*\n){2}1 run\nRun ${first}: (going on|without viva test), \\d+ of 60 results written, .* unread`,
      ),
    )
    const again = start(cwd, url, '--resume', 'out.jsonl')
    expect((await again.ended).exitCode).toBe(0)
    expect(again.output()).toContain(`run ${first}`)
    expect(notOnce(cwd)).toEqual([])
    expect(outcomes(cwd).size).toBe(60)
    expect(readJsonl(join(cwd, 'out.jsonl')).at(-1)).toMatchObject({ type: 'summary', total: 60, passed: 60 })
    // What was played for the first one was not played again.
    expect(countPlayed(cwd)).toBe(60)
  })

  it('is shown with what is written, what is played and what waits', { timeout: 60_000 }, async () => {
    const cwd = suite([...many(4, '1'), 'slow'])
    const { url, client } = await startRedis()
    const [worker] = startWorkers(1, url, cwd)
    const run = start(cwd, url)
    const shows = async (line: string) => {
      const { stdout } = await viva(['queue', 'status', '--queue', url], { cwd })
      return stdout.includes(line)
    }
    await until(() => shows('going on, 4 of 5 results written, 0 waiting, 1 playing, 0 unread'))
    for (const each of [run, worker]) each?.process.kill('SIGKILL')
    // Nobody plays the case once its lock has expired.
    await until(() => shows('without viva test, 4 of 5 results written, 1 waiting, 0 playing, 0 unread'))
    const again = start(cwd, url, '--resume', 'out.jsonl')
    await until(() => shows('going on, 4 of 5 results written, 1 waiting, 0 playing, 0 unread'))
    startWorkers(1, url, cwd)
    writeFileSync(join(cwd, 'go'), '')
    expect((await again.ended).exitCode).toBe(0)
    expect(await client.keys('viva:run:*:finished')).toEqual([])
  })

  it('has one coordinator at a time', { timeout: 60_000 }, async () => {
    const cwd = suite(['slow', ...many(3, '1')])
    const { url, client } = await startRedis()
    startWorkers(1, url, cwd)
    const run = start(cwd, url)
    await until(() => countPlayed(cwd) === 4)
    const [name] = await client.hkeys('viva:runs')
    const kept = await viva(['queue', 'clean', '--queue', url], { cwd })
    expect(kept.stdout).toBe(`Kept run ${name}: it is going on\n`)
    const forced = await viva(['queue', 'clean', '--queue', url, '--run', String(name)], { cwd })
    expect([forced.exitCode, forced.stderr]).toEqual([2, expect.stringContaining('is going on')])
    // As if another viva test had taken over while this one was suspended.
    await client.set(`viva:run:${name}:coordinator`, 'another', 'PX', 60_000)
    expect((await run.ended).exitCode).toBe(3)
    expect(run.output()).toContain('The run ends: another viva test has taken it over')
    expect(await client.hkeys('viva:runs')).toEqual([name])
  })

  it('can be removed from the queue', { timeout: 60_000 }, async () => {
    const cwd = suite(['slow', ...many(5, '1')])
    const { url, client } = await startRedis()
    const [worker] = startWorkers(1, url, cwd)
    const run = start(cwd, url)
    await until(() => countPlayed(cwd) === 6)
    run.process.kill('SIGKILL')
    await run.ended
    worker?.process.kill('SIGKILL')
    const [name] = await client.hkeys('viva:runs')
    await client.del(`viva:run:${name}:coordinator`)
    const unknown = await viva(['queue', 'clean', '--queue', url, '--run', 'x'], { cwd })
    expect([unknown.exitCode, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('there is no run x in the queue'),
    ])
    const forced = await viva(['queue', 'clean', '--queue', url, '--run', String(name)], { cwd })
    expect(forced.stdout).toBe(`Removed run ${name}\n`)
    const left = (await client.keys('*')).filter((key) => !/:(worker|workers|ended)(:|$)/.test(key))
    expect(left).toEqual([])
    const { stdout } = await viva(['queue', 'clean', '--queue', url], { cwd })
    expect(stdout).toBe('Nothing to remove\n')
  })
})

describeWithRedis('a Redis that fails', () => {
  const during = async (
    server: TestRedis,
    disturb: (workers: readonly StartedWorker[]) => Promise<void>,
    ...flags: string[]
  ) => {
    const cwd = suite(many(150, '100'))
    const workers = startWorkers(2, server.url, cwd)
    const run = start(cwd, server.url, ...flags)
    await until(() => countPlayed(cwd) > 20)
    await disturb(workers)
    const { exitCode } = await run.ended
    expect([exitCode, workers.map(({ process }) => process.exitCode)]).toEqual([0, [null, null]])
    expect(notOnce(cwd)).toEqual([])
    expect(outcomes(cwd).size).toBe(150)
    return run.output()
  }

  it('is started again with its data', { timeout: 120_000 }, async () => {
    const server = await startRedis('--appendonly', 'yes', '--appendfsync', 'always')
    await during(server, () => server.restart())
  })

  it('is started again without its data', { timeout: 120_000 }, async () => {
    const server = await startRedis()
    expect(await during(server, () => server.restart())).toMatch(
      /Redis has lost the run: \d+ jobs are sent again/,
    )
  })

  it('is gone for longer than the run waits for workers', { timeout: 120_000 }, async () => {
    const server = await startRedis()
    const back: StartedWorker[] = []
    const outage = async (workers: readonly StartedWorker[]) => {
      await server.kill()
      await wait(12_000)
      for (const worker of workers) {
        expect(worker.output()).toMatch(
          /\nLost the connection to Redis \(connect ECONNREFUSED \S+\); waiting\n$/,
        )
        void worker.printed('Connected again').then(() => back.push(worker))
      }
      await server.start()
    }
    const output = await during(server, outage, '--worker-timeout', '6s')
    expect(output).toContain('Redis cannot be reached: connect ECONNREFUSED')
    expect(output).toContain('; waiting for it')
    expect(back).toHaveLength(2)
  })

  it('is gone for longer than the lock of a case that a worker goes on with', {
    timeout: 120_000,
  }, async () => {
    const cwd = suite(['slow', ...many(3, '1')])
    const server = await startRedis('--appendonly', 'yes')
    startWorkers(1, server.url, cwd)
    const run = start(cwd, server.url)
    await until(() => countPlayed(cwd) === 4)
    await server.kill()
    await wait(11_000)
    await server.start()
    // Its lock has expired, and the job is given to the same worker again.
    const jobs = async () => (await server.client.keys('viva:jobs-*:wait')).length
    const isFreed = async () =>
      (await server.client.keys('viva:jobs-*:lock')).length > 0 && (await jobs()) === 0
    await wait(11_000)
    await until(isFreed)
    writeFileSync(join(cwd, 'go'), '')
    expect((await run.ended).exitCode).toBe(0)
    expect(notOnce(cwd)).toEqual([])
    expect(countPlayed(cwd)).toBe(4)
  })

  it('keeps no worker that is asked to leave', { timeout: 60_000 }, async () => {
    const cwd = suite(['slow', 'slow'])
    const server = await startRedis()
    const [worker] = startWorkers(1, server.url, cwd, '--grace', '300ms')
    start(cwd, server.url)
    await until(() => countPlayed(cwd) === 2)
    await server.kill()
    await wait(500)
    worker?.process.kill('SIGTERM')
    expect((await worker?.ended)?.exitCode).toBe(1)
    await server.start()
  })

  it('keeps no worker that is asked to leave while it does not answer', { timeout: 60_000 }, async () => {
    const cwd = suite(['slow', 'slow'])
    const server = await startRedis()
    const [busy] = startWorkers(1, server.url, cwd, '--grace', '300ms')
    const [idle] = startWorkers(1, `${server.url}?name=other`, cwd)
    start(cwd, server.url)
    await until(() => countPlayed(cwd) === 2)
    await idle?.printed('waits for runs')
    await server.client.call('CLIENT', 'PAUSE', '60000', 'ALL')
    await wait(500)
    for (const worker of [busy, idle]) worker?.process.kill('SIGTERM')
    expect((await idle?.ended)?.exitCode).toBe(0)
    expect((await busy?.ended)?.exitCode).toBe(1)
  })

  it('loses its connections', { timeout: 120_000 }, async () => {
    const server = await startRedis()
    await during(server, async () => {
      for (let times = 0; times < 5; times += 1) {
        await server.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
        await wait(300)
      }
    })
  })

  it('accepts no writes when a worker comes', { timeout: 120_000 }, async () => {
    const cwd = suite(many(20, '1'))
    const server = await startRedis()
    const run = start(cwd, server.url)
    await run.printed('Queue:')
    await server.client.config('SET', 'min-replicas-to-write', '1')
    const [worker] = startWorkers(1, server.url, cwd)
    await worker?.printed('Takes part in run')
    await wait(2000)
    await server.client.config('SET', 'min-replicas-to-write', '0')
    expect((await run.ended).exitCode).toBe(0)
    expect(notOnce(cwd)).toEqual([])
  })

  it('is full', { timeout: 120_000 }, async () => {
    const server = await startRedis()
    const output = await during(server, async () => {
      await server.client.config('SET', 'maxmemory', '1')
      await wait(4000)
      await server.client.config('SET', 'maxmemory', '0')
    })
    expect(output).toContain(
      'Redis is full (raise its maxmemory): what it has refused is sent again until it takes it',
    )
  })
})

describeWithRedis('secrets', () => {
  it('do not travel to workers', { timeout: 60_000 }, async () => {
    const cwd = suite(many(2, '1'))
    const secret = 'sk-0123456789abcdefghijklmnopqrstuv'
    writeFileSync(join(cwd, '.env'), `OPENAI_API_KEY=${secret}\n`)
    writeFileSync(
      join(cwd, 'before.mjs'),
      `export function BeforeAll() { return { token: ${JSON.stringify(secret)} } }\n`,
    )
    const { url, client } = await startRedis()
    const asked = ['test', '-n', './agent.mjs', '--queue', url]
    const prepared = await viva([...asked, '-i', 'cases.jsonl', '--before-all', 'before.BeforeAll'], { cwd })
    expect([prepared.exitCode, prepared.stderr]).toEqual([
      2,
      expect.stringContaining('what --before-all returned holds a secret, which must not travel to workers'),
    ])
    const commands: string[] = []
    const monitor = await client.monitor()
    monitor.on('monitor', (_, words: string[]) => void commands.push(words.join(' ')))
    startWorkers(1, url, cwd)
    const child = startViva([...asked, '-i', '-', '-o', 'out.jsonl'], {
      cwd,
      stdin: jsonl(
        { id: 'own', input: `my key is ${secret}`, assert },
        { id: 'other', input: 'hello', assert },
      ),
    })
    expect((await ended(child)).exitCode).toBe(3)
    const [own] = results(join(cwd, 'out.jsonl')).filter(({ id }) => id === 'own')
    expect(own?.error).toContain('the case holds a secret, which must not travel to a worker')
    expect(outcomes(cwd).get('other 1')).toEqual(['passed'])
    monitor.disconnect()
    // All that was ever sent to Redis, by viva test and by its worker.
    expect(commands.some((command) => command.includes('hello'))).toBe(true)
    expect(commands.filter((command) => command.includes(secret))).toEqual([])
    expect(readFileSync(join(cwd, 'out.jsonl'), 'utf8')).not.toContain(secret)
  })
})
