import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { describeWithRedis, startRedis, stopRedisAfterAll } from './support/redis.ts'
import { ended, jsonl, project, results, startViva, viva } from './support/viva.ts'
import { startWorker, untilPrinted } from './support/workers.ts'

stopRedisAfterAll()

const agent = (answer: string) => `import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync } from 'node:fs'
export default async (message) => {
  appendFileSync('played', message + '\\n')
  // It runs in a process of its own: this ends the worker.
  if (message === 'kill') execFileSync('kill', ['-9', String(process.ppid)])
  const wait = (ms) => new Promise((done) => setTimeout(done, ms))
  while (message === 'slow' && !existsSync('go')) await wait(20)
  await wait(50)
  return '${answer}'
}
`
const assert = { type: 'contains', value: 'yes' }
const inputs = ['-i', 'cases.jsonl', '-n', './agent.mjs']

function suite(count: number, files: Record<string, string> = {}): string {
  const cases = Array.from({ length: count }, (_, number) => ({
    id: `c${number}`,
    input: `${number}`,
    assert,
  }))
  return project({
    'viva.config.json': '{}',
    'agent.mjs': agent('yes, first'),
    'cases.jsonl': jsonl(...cases),
    played: '',
    ...files,
  })
}

const countResults = (cwd: string) => {
  const path = join(cwd, 'out.jsonl')
  return existsSync(path) ? results(path).length : 0
}

/** A run that was killed in the middle. */
async function killRun(cwd: string, url: string, output: '-o' | '--resume' = '-o'): Promise<void> {
  const child = startViva(['test', ...inputs, '--queue', url, output, 'out.jsonl'], { cwd })
  const end = ended(child)
  await vi.waitUntil(() => countResults(cwd) > 5, { timeout: 30_000 })
  child.kill('SIGKILL')
  await end
}

const resume = (cwd: string, url: string, ...flags: string[]) =>
  viva(['test', ...inputs, '--queue', url, '--resume', 'out.jsonl', ...flags], { cwd })

describeWithRedis('a run that was killed', () => {
  it('while its queue was removed goes on with --resume', { timeout: 60_000 }, async () => {
    const cwd = suite(80)
    const { url, client } = await startRedis()
    startWorker(url, cwd)
    await killRun(cwd, url)
    const [name] = await client.hkeys('viva:runs')
    const { Queue } = await import('bullmq')
    const jobs = new Queue(`jobs-${name}`, { connection: client, prefix: 'viva' })
    await jobs.pause()
    await jobs.close()
    const { exitCode, stdout } = await resume(cwd, url)
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Passed:  80')])
  })

  it('is found again if it was started without a queue', { timeout: 60_000 }, async () => {
    const cwd = suite(1)
    expect((await viva(['test', ...inputs, '-o', 'out.jsonl'], { cwd })).exitCode).toBe(0)
    writeFileSync(join(cwd, 'cases.jsonl'), readFileSync(join(suite(80), 'cases.jsonl')))
    const { url, client } = await startRedis()
    startWorker(url, cwd)
    await killRun(cwd, url, '--resume')
    const [name] = await client.hkeys('viva:runs')
    const { exitCode, stdout } = await resume(cwd, url)
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(`run ${name}`)])
    expect(await client.hkeys('viva:runs')).toEqual([])
  })

  it('is played with the agent as it is when it goes on', { timeout: 60_000 }, async () => {
    const cwd = suite(80)
    const { url } = await startRedis()
    const worker = startWorker(url, cwd)
    await killRun(cwd, url)
    const before = countResults(cwd)
    writeFileSync(join(cwd, 'agent.mjs'), agent('yes, second'))
    const { exitCode } = await resume(cwd, url)
    expect(exitCode).toBe(0)
    const replies = results(join(cwd, 'out.jsonl')).map(({ output }) => output)
    expect(replies).toHaveLength(80)
    expect(new Set(replies.slice(0, before))).toEqual(new Set(['yes, first']))
    expect(new Set(replies.slice(before))).toEqual(new Set(['yes, second']))
    expect(worker.output()).toContain('was started again in another way')
  })
})

describeWithRedis('a run without workers', () => {
  it('is finished by --resume, also what was being played', { timeout: 60_000 }, async () => {
    const slow = ['a', 'b'].map((id) => ({ id, input: 'slow', assert }))
    const cwd = suite(0, { 'cases.jsonl': jsonl(...slow) })
    const { url, client } = await startRedis()
    const worker = startWorker(url, cwd)
    const child = startViva(
      ['test', ...inputs, '--queue', url, '-o', 'out.jsonl', '--worker-timeout', '9s'],
      { cwd },
    )
    const end = ended(child)
    const statuses = async () =>
      Promise.all((await client.keys('viva:worker:*')).map((key) => client.get(key)))
    const isKnown = async () => (await statuses()).some((text) => /"playing":\["j\w+","j/.test(text ?? ''))
    await vi.waitUntil(isKnown, { timeout: 30_000 })
    // viva test looks once a second.
    await new Promise((done) => setTimeout(done, 2500))
    worker.process.kill('SIGKILL')
    expect((await end).exitCode).toBe(3)
    const left = results(join(cwd, 'out.jsonl')).map(({ status }) => status)
    expect(left).toEqual(['interrupted', 'interrupted'])
    startWorker(url, cwd)
    writeFileSync(join(cwd, 'go'), '')
    const { exitCode, stdout } = await resume(cwd, url)
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Passed:  2')])
  })

  it('has passed when everything was played before they left', { timeout: 60_000 }, async () => {
    const cwd = suite(4, {
      'after.mjs': `import { existsSync } from 'node:fs'
export const AfterAll = async () => {
  while (!existsSync('go')) await new Promise((done) => setTimeout(done, 20))
}
`,
    })
    const { url } = await startRedis()
    const worker = startWorker(url, cwd)
    const child = startViva(
      [
        'test',
        ...inputs,
        '--queue',
        url,
        '-o',
        'out.jsonl',
        '--worker-timeout',
        '1s',
        '--after-all',
        'after.AfterAll',
      ],
      { cwd },
    )
    const end = ended(child)
    await worker.printed('has ended')
    worker.process.kill('SIGKILL')
    await worker.ended
    await new Promise((done) => setTimeout(done, 4000))
    writeFileSync(join(cwd, 'go'), '')
    const { exitCode, stdout } = await end
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Passed:  4')])
  })
})

describeWithRedis('a run that has lost its workers', () => {
  it('exits with 3 although a case has failed, and with 1 when it is finished as it says', {
    timeout: 60_000,
  }, async () => {
    const cwd = suite(0, {
      'cases.jsonl': jsonl(
        { id: 'bad', input: 'bad', assert: { type: 'contains', value: 'no' } },
        { id: 'open', input: 'slow', assert },
      ),
    })
    const { url } = await startRedis()
    const worker = startWorker(url, cwd)
    const child = startViva(['test', ...inputs, '--queue', url, '--worker-timeout', '2s'], { cwd })
    const printed = untilPrinted(child)
    await printed.printed('[bad]')
    worker.process.kill('SIGKILL')
    const { exitCode, stdout } = await ended(child)
    expect([exitCode, stdout]).toEqual([3, expect.stringContaining('no worker for 2s')])
    const [, command = ''] = /Finish the run:\n +viva (.*)\n/.exec(stdout) ?? []
    expect(command).toMatch(/--queue \S+ .*--resume /)
    expect(stdout).toContain(`-n ./agent.mjs --queue ${url} --worker-timeout 2s --run`)
    startWorker(url, cwd)
    writeFileSync(join(cwd, 'go'), '')
    const finished = await viva(command.split(' '), { cwd })
    expect([finished.exitCode, finished.stdout]).toEqual([1, expect.stringContaining('Total:   2 tests')])
  })
})

describeWithRedis('a case that ends its workers', () => {
  it('is not played again, by retries or in other runs', { timeout: 120_000 }, async () => {
    const cwd = suite(0, { 'cases.jsonl': jsonl({ id: 'poison', input: 'kill', assert }) })
    const { url } = await startRedis()
    const child = startViva(
      ['test', ...inputs, '--queue', url, '-o', 'out.jsonl', '--runs', '2', '--retries', '2'],
      { cwd },
    )
    const printed = untilPrinted(child)
    const end = ended(child)
    let isOver = false
    void end.then(() => {
      isOver = true
    })
    while (!isOver) {
      const worker = startWorker(url, cwd, ['--concurrency', '1'])
      await Promise.race([worker.ended, end])
    }
    expect((await end).exitCode).toBe(3)
    const failed = results(join(cwd, 'out.jsonl')).map(({ run, attempt, error_kind }) => [
      run,
      attempt,
      error_kind,
    ])
    expect(failed.sort()).toEqual([
      [1, 1, 'worker_lost'],
      [2, 1, 'worker_lost'],
    ])
    expect(
      readFileSync(join(cwd, 'played'), 'utf8').trim().split('\n').length,
      printed.output(),
    ).toBeLessThan(5)
  })
})

describeWithRedis('a case that ends the last worker', () => {
  const cases = [
    { id: 'poison', input: 'kill', assert },
    ...['a', 'b', 'c'].map((id) => ({ id, input: 'wait', assert })),
  ]
  const outcomes = (cwd: string) => {
    const last = new Map<unknown, string>()
    for (const { id, status, error_kind, workers_lost } of results(join(cwd, 'out.jsonl')))
      last.set(id, [status, error_kind, workers_lost].filter((each) => each !== undefined).join(' '))
    return Object.fromEntries(last)
  }
  const suspects = (state: string) => ({ a: state, b: state, c: state })

  it('fails by itself when it has ended a second one, over several runs', { timeout: 120_000 }, async () => {
    const cwd = suite(0, { 'cases.jsonl': jsonl(...cases) })
    const { url } = await startRedis()
    const few = ['--worker-timeout', '2s']
    const worker = startWorker(url, cwd)
    const first = await viva(['test', ...inputs, '--queue', url, '-o', 'out.jsonl', ...few], { cwd })
    expect([first.exitCode, worker.process.signalCode]).toEqual([3, 'SIGKILL'])
    expect(outcomes(cwd)).toEqual({ poison: 'interrupted 1', ...suspects('interrupted 1') })
    const another = startWorker(url, cwd)
    expect((await resume(cwd, url, ...few)).exitCode).toBe(3)
    expect(another.process.signalCode).toBe('SIGKILL')
    // It was played alone, and first: nothing more is known of the others.
    expect(outcomes(cwd)).toEqual({ poison: 'failed worker_lost', ...suspects('interrupted 1') })
    startWorker(url, cwd)
    const { stdout } = await resume(cwd, url)
    expect(stdout).toContain('2 workers ended while they played it')
    expect(outcomes(cwd)).toEqual({ poison: 'failed worker_lost', ...suspects('passed') })
  })

  it('is known when viva test was killed, too', { timeout: 120_000 }, async () => {
    const cwd = suite(0, { 'cases.jsonl': jsonl({ id: 'done', input: '1', assert }, ...cases.slice(0, 1)) })
    const { url } = await startRedis()
    const child = startViva(['test', ...inputs, '--queue', url, '-o', 'out.jsonl'], { cwd })
    const end = ended(child)
    await startWorker(url, cwd, ['--concurrency', '1']).ended
    await vi.waitUntil(() => countResults(cwd) === 1, 10_000)
    child.kill('SIGKILL')
    await end
    startWorker(url, cwd)
    expect((await resume(cwd, url, '--worker-timeout', '2s')).exitCode).toBe(3)
    expect(outcomes(cwd)).toEqual({ done: 'passed', poison: 'failed worker_lost' })
  })

  // After 14 seconds, the lock of the case has expired, and viva test has noticed it.
  it.each([
    ['at once', 0],
    ['later', 14_000],
  ])(
    'is known when the run is interrupted %s, and continued elsewhere',
    { timeout: 120_000 },
    async (_, waitMs) => {
      const cwd = suite(0, { 'cases.jsonl': jsonl(...cases.toReversed()) })
      const { url } = await startRedis()
      const worker = startWorker(url, cwd)
      const child = startViva(['test', ...inputs, '--queue', url, '-o', 'out.jsonl'], { cwd })
      const end = ended(child)
      await worker.ended
      await new Promise((done) => setTimeout(done, waitMs))
      child.kill('SIGINT')
      expect((await end).exitCode).toBe(130)
      expect(outcomes(cwd)).toEqual({ poison: 'interrupted 1', ...suspects('interrupted 1') })
      const { url: other } = await startRedis()
      startWorker(other, cwd)
      expect((await resume(cwd, other, '--worker-timeout', '2s')).exitCode).toBe(3)
      expect(outcomes(cwd)).toEqual({ poison: 'failed worker_lost', ...suspects('passed') })
    },
  )

  it('is not suspected where the worker goes on', { timeout: 60_000 }, async () => {
    const cwd = suite(0, { 'cases.jsonl': jsonl({ id: 'slow', input: 'slow', assert }) })
    const { url } = await startRedis()
    const worker = startWorker(url, cwd)
    const child = startViva(['test', ...inputs, '--queue', url, '-o', 'out.jsonl'], { cwd })
    const end = ended(child)
    await vi.waitUntil(() => readFileSync(join(cwd, 'played'), 'utf8') !== '', 30_000)
    const before = performance.now()
    child.kill('SIGINT')
    expect([(await end).exitCode, outcomes(cwd)]).toEqual([130, { slow: 'interrupted' }])
    // It hears of the worker, which looks twice a second.
    expect(performance.now() - before).toBeLessThan(3000)
    await worker.printed('has ended')
  })

  it('is not blamed for what it did in an earlier attempt', { timeout: 120_000 }, async () => {
    const cwd = suite(0, {
      'cases.jsonl': jsonl({ id: 'uneven', input: 'uneven', assert }),
      'agent.mjs': `import { execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
const answers = ['kill', 'no', 'kill', 'yes']
export default async () => {
  const answer = answers[readFileSync('played', 'utf8').length]
  appendFileSync('played', '.')
  if (answer === 'kill') execFileSync('kill', ['-9', String(process.ppid)])
  return answer
}
`,
    })
    const { url } = await startRedis()
    const flags = ['--worker-timeout', '2s', '--retries', '1']
    startWorker(url, cwd)
    const first = await viva(['test', ...inputs, '--queue', url, '-o', 'out.jsonl', ...flags], { cwd })
    expect([first.exitCode, outcomes(cwd)]).toEqual([3, { uneven: 'interrupted 1' }])
    for (let count = 0; count < 2; count++) startWorker(url, cwd, ['--concurrency', '1'])
    const { exitCode, stdout } = await resume(cwd, url, ...flags)
    expect([exitCode, outcomes(cwd)], stdout).toEqual([0, { uneven: 'passed' }])
  })
})

describeWithRedis('a worker whose agent does not answer', () => {
  it('leaves the run to others', { timeout: 60_000 }, async () => {
    const server = createServer((request, response) => {
      const isRight = request.headers.authorization === 'Bearer right-key-0123456789'
      response.writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' })
      response.end(isRight ? '{"content":"yes"}' : '{"error":"wrong key"}')
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const shop = { url: `http://127.0.0.1:${port}/`, headers: { authorization: 'Bearer {{env.SHOP_KEY}}' } }
    const cwd = suite(60, { 'viva.config.json': JSON.stringify({ agents: { shop } }) })
    const { url } = await startRedis()
    const env = { SHOP_KEY: 'right-key-0123456789' }
    const wrong = startWorker(url, cwd, ['--concurrency', '1'], { SHOP_KEY: 'wrong-key-0123456789' })
    const child = startViva(
      [
        'test',
        '-i',
        'cases.jsonl',
        '-n',
        'shop',
        '--queue',
        url,
        '-o',
        'out.jsonl',
        '--worker-timeout',
        '20s',
      ],
      { cwd, env },
    )
    const printed = untilPrinted(child)
    const end = ended(child)
    await wrong.printed('Does not take part in run')
    await printed.printed('does not take part: not called')
    startWorker(url, cwd, [], env)
    const { stdout } = await end
    const found = results(join(cwd, 'out.jsonl')).map(({ status }) => status)
    expect(found.filter((status) => status === 'failed')).toHaveLength(5)
    expect(found.filter((status) => status === 'passed')).toHaveLength(55)
    expect(stdout).toMatch(/Worker \S+ does not take part: not called: .* never succeeded in 5 tests/)
  })
})

describeWithRedis('case files together with a generator', () => {
  it('are both played', { timeout: 60_000 }, async () => {
    const cwd = suite(3, {
      'more.mjs': `export default () => [{ id: 'made', input: 'made', assert: { type: 'contains', value: 'yes' } }]\n`,
    })
    const { url } = await startRedis()
    startWorker(url, cwd)
    const asked = ['test', ...inputs, '-i', 'scripts:more', '--queue', url, '-o', 'out.jsonl']
    const { stdout } = await viva(asked, { cwd })
    expect(stdout).toContain('Passed:  4')
  })
})
