import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { describeWithRedis, startRedis, stopRedisAfterAll, type TestRedis } from './support/redis.ts'
import {
  demo,
  ended,
  jsonl,
  type Line,
  project,
  readJsonl,
  results,
  shared,
  spawnViva,
  startViva,
  viva,
} from './support/viva.ts'
import { startWorker } from './support/workers.ts'

stopRedisAfterAll()
const server = shared(() => startRedis())

/** A queue of its own, so that tests do not share workers. */
let queues = 0
async function queue(): Promise<{ url: string; redis: TestRedis; prefix: string }> {
  const redis = await server()
  queues += 1
  return { url: `${redis.url}?name=test-${queues}`, redis, prefix: `viva:test-${queues}` }
}

const agent = `export default async (message) => {
  await new Promise((done) => setTimeout(done, 5))
  return message.startsWith('bad') ? 'no' : 'yes'
}
`
const assert = { type: 'contains', value: 'yes' }
const ids = ['bad', 'bad-too', ...Array.from({ length: 30 }, (_, number) => `good-${number}`)]
const cases = (names: readonly string[] = ids) => jsonl(...names.map((id) => ({ id, input: id, assert })))
const inputs = ['-i', 'cases.jsonl', '-n', './agent.mjs']

function suite(files: Record<string, string> = {}): string {
  return project({ 'viva.config.json': '{}', 'agent.mjs': agent, 'cases.jsonl': cases(), ...files })
}

/** Lines of a type in an order that does not depend on how they were run, without what differs from run to run. */
function comparable(path: string, ...types: string[]): string[] {
  const isDifferent =
    /^(session_id|started_at|duration_ms|reply_ms|\w+_duration_ms|std_deviation_ms|latency)$/
  const text = (line: Line) =>
    JSON.stringify(line, (key, value: unknown) => {
      if (isDifferent.test(key)) return undefined
      // The order of fields says nothing.
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort())
        : value
    })
  return readJsonl(path)
    .filter((line) => types.includes(String(line.type)))
    .map(text)
    .sort()
}

describeWithRedis('viva test --queue', () => {
  it('gives the same results as a run on this machine', { timeout: 120_000 }, async () => {
    const cwd = suite()
    const { url } = await queue()
    const workers = [startWorker(url, cwd), startWorker(url, cwd)]
    const flags = ['--runs', '2', '--gate', '0.5', '--retries', '1']
    const local = await viva(['test', ...inputs, ...flags, '-o', 'local.jsonl', '--parallel', '4'], { cwd })
    const remote = await viva(['test', ...inputs, ...flags, '-o', 'remote.jsonl', '--queue', url], { cwd })
    expect(remote.stderr).toBe('')
    expect(remote.exitCode).toBe(local.exitCode)
    const types = ['result', 'stability', 'summary']
    expect(comparable(join(cwd, 'remote.jsonl'), ...types)).toEqual(
      comparable(join(cwd, 'local.jsonl'), ...types),
    )
    for (const worker of workers) expect(worker.output()).toContain('Takes part in run')
  })

  it('plays packages with hooks and tools, script tests, suites and simulated users', {
    timeout: 120_000,
  }, async () => {
    const cwd = demo()
    writeFileSync(join(cwd, 'viva.config.json'), '{}')
    writeFileSync(
      join(cwd, 'own_test.ts'),
      'export function TestOne(t) { t.assert.Equal(1, 1) }\nexport function TestTwo(t) { t.assert.Equal(1, 2) }\n',
    )
    const { url } = await queue()
    startWorker(url, cwd)
    const given = [
      '-i',
      'assistants/expense/tests/inputs.jsonl',
      '-i',
      'assistants/expense/tests/conversations.jsonl',
      '-i',
      'own_test.ts',
    ]
    const local = await viva(['test', ...given, '-o', 'local.jsonl'], { cwd })
    const remote = await viva(['test', ...given, '-o', 'remote.jsonl', '--queue', url], { cwd })
    expect(remote.exitCode).toBe(local.exitCode)
    expect(comparable(join(cwd, 'remote.jsonl'), 'result')).toEqual(
      comparable(join(cwd, 'local.jsonl'), 'result'),
    )
  })

  it('sends cases of stdin, messages and generators with their jobs', { timeout: 120_000 }, async () => {
    const cwd = suite({
      'more.mjs': `export default () => [{ id: 'made', input: 'made', assert: { type: 'contains', value: 'yes' } }]\n`,
    })
    const { url } = await queue()
    startWorker(url, cwd)
    const message = await viva(['test', '-i', 'hello there', '-n', './agent.mjs', '--queue', url], { cwd })
    expect(message.stdout).toBe('yes\n')
    const generated = await viva(
      ['test', '-i', 'scripts:more', '-n', './agent.mjs', '--queue', url, '-o', 'made.jsonl'],
      { cwd },
    )
    expect(generated.stderr + generated.stdout).toContain('Passed:  1')
    const child = startViva(['test', '-i', '-', '-n', './agent.mjs', '--queue', url, '-o', 'stdin.jsonl'], {
      cwd,
      stdin: cases(['bad', 'good']),
    })
    expect((await ended(child)).exitCode).toBe(1)
    expect(
      results(join(cwd, 'stdin.jsonl'))
        .map(({ id, status }) => `${id} ${status}`)
        .sort(),
    ).toEqual(['bad failed', 'good passed'])
  })

  it('records calls, and replays them', { timeout: 120_000 }, async () => {
    const cwd = demo()
    writeFileSync(join(cwd, 'viva.config.json'), '{}')
    const { url } = await queue()
    startWorker(url, cwd)
    const input = ['-i', 'assistants/expense/tests/conversations.jsonl']
    const recorded = await viva(
      ['test', ...input, '-o', 'one.jsonl', '--record', 'calls.rec', '--queue', url],
      { cwd },
    )
    expect(recorded.exitCode).toBe(0)
    const here = await viva(['test', ...input, '-o', 'two.jsonl', '--replay', 'calls.rec'], { cwd })
    expect(here.stdout + here.stderr).toContain('Passed:  3')
    const there = await viva(
      ['test', ...input, '-o', 'three.jsonl', '--replay', 'calls.rec', '--queue', url],
      { cwd },
    )
    expect(there.stdout + there.stderr).toContain('Passed:  3')
    expect(comparable(join(cwd, 'three.jsonl'), 'result')).toEqual(
      comparable(join(cwd, 'two.jsonl'), 'result'),
    )
  })

  it('keeps to the limits of a connector, whatever the number of workers', { timeout: 120_000 }, async () => {
    const cwd = demo()
    writeFileSync(
      join(cwd, 'viva.config.json'),
      JSON.stringify({
        connectors: {
          slow: { type: 'scripted', options: { module: './model.mjs' }, limits: { concurrency: 2 } },
        },
      }),
    )
    writeFileSync(
      join(cwd, 'model.mjs'),
      `import { appendFileSync } from 'node:fs'
export default async () => {
  appendFileSync('calls', 'start\\n')
  await new Promise((done) => setTimeout(done, 40))
  appendFileSync('calls', 'end\\n')
  return 'yes'
}
`,
    )
    writeFileSync(join(cwd, 'cases.jsonl'), cases(Array.from({ length: 24 }, (_, number) => `c${number}`)))
    writeFileSync(join(cwd, 'calls'), '')
    const { url } = await queue()
    for (const _ of [1, 2, 3]) startWorker(url, cwd)
    const { exitCode, stdout } = await viva(
      ['test', '-i', 'cases.jsonl', '-n', 'expense', '-c', 'slow', '--queue', url, '-o', 'out.jsonl'],
      { cwd },
    )
    expect(stdout).toContain('Passed:  24')
    expect(exitCode).toBe(0)
    let [atOnce, most] = [0, 0]
    for (const line of readFileSync(join(cwd, 'calls'), 'utf8').trim().split('\n')) {
      atOnce += line === 'start' ? 1 : -1
      most = Math.max(most, atOnce)
    }
    expect(most).toBe(2)
  })

  it('ends with exit code 3 when there is no worker', { timeout: 60_000 }, async () => {
    const cwd = suite()
    const { url } = await queue()
    const { exitCode, stdout, stderr } = await viva(
      ['test', ...inputs, '--queue', url, '--worker-timeout', '2s', '-o', 'out.jsonl'],
      { cwd },
    )
    expect(exitCode).toBe(3)
    expect(stdout + stderr).toContain('no worker for 2s: start one with viva worker')
    expect(results(join(cwd, 'out.jsonl')).every(({ status }) => status === 'not_run')).toBe(true)
  })

  it('carries over what has not changed, and asks no worker if that is everything', {
    timeout: 60_000,
  }, async () => {
    const named = 'export default () => `yes ${process.env.SHOP_TOWN}`\n'
    const cwd = suite({ 'cases.jsonl': cases(['good', 'good-too']), 'named.mjs': named })
    const { url } = await queue()
    const args = ['test', ...inputs, '-n', './named.mjs', '--queue', url, '-o', 'out.jsonl', '--changed']
    const worker = startWorker(url, cwd)
    expect((await viva(args, { cwd })).exitCode).toBe(0)
    const { exitCode, stdout } = await viva(args, { cwd })
    expect(exitCode).toBe(0)
    // Workers have their own variables.
    expect(stdout).toContain('Runs 2: workers have their own SHOP_TOWN')
    expect(results(join(cwd, 'out.jsonl')).map(({ variant }) => variant)).toEqual(['named.mjs', 'named.mjs'])
    worker.process.kill('SIGKILL')
    await worker.ended
    const alone = ['test', ...inputs, '--queue', url, '-o', 'out.jsonl', '--changed']
    const nothing = await viva(alone, { cwd })
    expect(nothing.exitCode).toBe(0)
    expect(nothing.stdout).toContain('Everything was carried over')
  })

  it('is not joined by a worker with other cases, another agent or another version', {
    timeout: 60_000,
  }, async () => {
    const cwd = suite()
    const { url, redis, prefix } = await queue()
    const other = suite({ 'cases.jsonl': cases(['bad']), 'agent.mjs': `${agent}// changed\n` })
    const worker = startWorker(url, other)
    const { exitCode, stdout } = await viva(
      ['test', ...inputs, '--queue', url, '--worker-timeout', '6s', '-o', 'out.jsonl'],
      { cwd },
    )
    expect(exitCode).toBe(3)
    expect(stdout).toContain(
      'does not take part: the project is not the same: agent.mjs is different here, cases.jsonl is different here',
    )
    expect(worker.output()).toContain('Does not take part in run')
    await redis.client.hset(`${prefix}:runs`, 'x', JSON.stringify({ protocol: 1, version: '9.0.0' }))
    await redis.client.set(`${prefix}:run:x:coordinator`, 'somebody')
    await worker.printed('it is of viva 9.0.0, and this worker is viva')
  })

  it('starts agents outside of the project only where the worker allows it', {
    timeout: 60_000,
  }, async () => {
    const cwd = suite()
    const { url } = await queue()
    const asked = [
      'test',
      '-i',
      'cases.jsonl',
      '-n',
      'exec:node agent.mjs',
      '--queue',
      url,
      '--worker-timeout',
      '6s',
      '-o',
      'out.jsonl',
    ]
    startWorker(url, cwd)
    const { exitCode, stdout } = await viva(asked, { cwd })
    expect(exitCode).toBe(3)
    expect(stdout).toContain(
      "its agent exec:node agent.mjs is not one of the project (start the worker with -n 'exec:node agent.mjs' to allow it)",
    )
  })

  it('starts simulators outside of the project only where the worker allows it', {
    timeout: 60_000,
  }, async () => {
    const cwd = suite()
    const { url } = await queue()
    const simulator = 'exec:touch started'
    startWorker(url, cwd)
    const { exitCode, stdout } = await viva(
      [
        'test',
        ...inputs,
        '--simulator',
        simulator,
        '--queue',
        url,
        '--worker-timeout',
        '6s',
        '-o',
        'out.jsonl',
      ],
      { cwd },
    )
    expect(exitCode).toBe(3)
    expect(stdout).toContain(
      `its simulator ${simulator} is not one of the project (start the worker with -n '${simulator}' to allow it)`,
    )
    const inside = await viva(
      ['test', ...inputs, '--simulator', './agent.mjs', '--queue', url, '-o', 'inside.jsonl'],
      { cwd },
    )
    expect(inside.stdout).toContain('Passed:  30')
  })

  it('reads the file of --ctx in the project only', { timeout: 60_000 }, async () => {
    const cwd = suite({ 'ctx.json': '{"locale":"de"}' })
    const { url, redis, prefix } = await queue()
    const asked = ['test', ...inputs, '--queue', url, '-o', 'out.jsonl']
    const other = join(project({ 'ctx.json': '{}' }), 'ctx.json')
    const outside = await viva([...asked, '--ctx', other], { cwd })
    expect([outside.exitCode, outside.stderr]).toEqual([
      2,
      expect.stringContaining(`--ctx ${other} is outside of the project, where workers cannot find it`),
    ])
    const child = startViva([...asked, '--ctx', 'ctx.json', '--worker-timeout', '30s'], { cwd })
    const run = await vi.waitUntil(async () => (await redis.client.hkeys(`${prefix}:runs`))[0], 20_000)
    const offer = JSON.parse((await redis.client.hget(`${prefix}:runs`, run)) ?? '')
    expect(offer.request.ctx).toBe('ctx.json')
    const forged = { ...offer, request: { ...offer.request, ctx: '../../../etc/hostname' } }
    await redis.client.hset(`${prefix}:runs`, run, JSON.stringify(forged))
    const worker = startWorker(url, cwd)
    await worker.printed('its file of --ctx: ../../../etc/hostname is outside the project')
    child.kill('SIGINT')
    await ended(child)
  })
})

describeWithRedis('what is forged in Redis', () => {
  it('is not played, and does not count', { timeout: 120_000 }, async () => {
    const cwd = suite()
    const { url, redis, prefix } = await queue()
    const worker = startWorker(url, cwd, ['--concurrency', '1'])
    const child = startViva(['test', ...inputs, '--queue', url, '-o', 'out.jsonl'], { cwd })
    await worker.printed('Takes part')
    const [run = ''] = await redis.client.hkeys(`${prefix}:runs`)
    // A result that nobody asked for, one that is none, and a job with a case that the worker does not have.
    const own = `${prefix}:run:${run}`
    for (const forged of ['{"start":1}', '{"job":"j1","start":1,"worker":"me","results":[]}', 'nonsense'])
      await redis.client.xadd(`${own}:reports`, '*', 'report', forged)
    await redis.client.xadd(`${own}:reports`, '*', 'x', 'y', 'z', '')
    const { Queue } = await import('bullmq')
    const jobs = new Queue(`jobs-${run}`, { connection: redis.client, prefix })
    await jobs.add(
      'job',
      JSON.stringify({
        variant: 'agent',
        run: 1,
        attempt: 1,
        cases: [{ file: '../../etc/passwd', id: 'x', hash: 'y', line: 1 }],
      }),
      { jobId: 'forged' },
    )
    const { exitCode, stdout } = await ended(child)
    expect(exitCode).toBe(1)
    expect(stdout).toContain(
      'is no report of a worker, and is ignored: job: Invalid input: expected string, received undefined',
    )
    expect(stdout).toContain('Results are not signed: whoever can write to this Redis can forge them')
    expect(stdout).toContain('Passed:  30')
    expect(results(join(cwd, 'out.jsonl'))).toHaveLength(32)
    await jobs.close()
  })

  it('is refused without the secret, where there is one', { timeout: 60_000 }, async () => {
    const cwd = suite()
    const { url } = await queue()
    const worker = startWorker(url, cwd, [], { VIVA_QUEUE_SECRET: 'the secret of somebody else' })
    const { exitCode, stdout } = await viva(
      ['test', ...inputs, '--queue', url, '--worker-timeout', '6s', '-o', 'out.jsonl'],
      { cwd, env: { VIVA_QUEUE_SECRET: 'a long secret of ours' } },
    )
    expect(exitCode).toBe(3)
    expect(stdout).toContain('it is not signed with the VIVA_QUEUE_SECRET of this machine')
    expect(stdout).not.toContain('not signed:')
    worker.process.kill('SIGKILL')
    const unsigned = startWorker(url, cwd)
    const again = await spawnViva(
      ['test', ...inputs, '--queue', url, '--worker-timeout', '6s', '-o', 'two.jsonl'],
      {
        cwd,
        env: { VIVA_QUEUE_SECRET: 'a long secret of ours' },
      },
    )
    expect(again.exitCode).toBe(3)
    expect(unsigned.output()).toContain('it is signed, and VIVA_QUEUE_SECRET is not set here')
    const right = startWorker(url, cwd, [], { VIVA_QUEUE_SECRET: 'a long secret of ours' })
    const signed = await viva(['test', ...inputs, '--queue', url, '-o', 'three.jsonl'], {
      cwd,
      env: { VIVA_QUEUE_SECRET: 'a long secret of ours' },
    })
    expect(signed.stdout).toContain('Passed:  30')
    expect(right.output()).toContain('Takes part')
  })
})

describeWithRedis('a mistake in --queue', () => {
  it.each([
    [['--queue', 'http://x'], 'must be the URL of a Redis server'],
    [['--queue', 'redis://x/abc'], 'the path is the number of a database'],
    [['--queue', 'redis://x?tls=1'], 'unknown option "tls"'],
    [['--queue', 'redis://x', '--watch'], '--queue cannot be combined with --watch'],
    [['--queue', 'redis://x', '--parallel', '3'], '--queue cannot be combined with --parallel'],
    [['--queue', 'redis://x', '--update-snapshots'], '--queue cannot be combined with --update-snapshots'],
    [['--worker-timeout', '3s'], '--worker-timeout is for --queue'],
    [['--queue', 'redis://x', '--worker-timeout', '3'], 'must be a duration'],
  ])('is refused before anything is run: %j', async (flags, message) => {
    const { exitCode, stderr } = await viva(['test', ...inputs, ...flags], { cwd: suite() })
    expect(exitCode).toBe(2)
    expect(stderr).toContain(message)
  })

  it('says what is wrong with the server', { timeout: 60_000 }, async () => {
    const cwd = suite()
    const run = (url: string) => viva(['test', ...inputs, '--queue', url, '-o', 'out.jsonl'], { cwd })
    const nobody = await run('redis://127.0.0.1:1')
    expect(nobody.exitCode).toBe(3)
    expect(nobody.stderr).toContain('redis://127.0.0.1:1 cannot be reached')
    const closed = await startRedis('--requirepass', 'sesame-open')
    const wrong = await run(`redis://:sesame-shut@127.0.0.1:${closed.port}`)
    expect(wrong.exitCode).toBe(2)
    expect(wrong.stderr).toContain('does not accept the user or the password')
    expect(wrong.stderr).not.toContain('sesame')
    expect((await run(`redis://127.0.0.1:${closed.port}`)).exitCode).toBe(2)
    const evicting = await startRedis('--maxmemory', '10mb', '--maxmemory-policy', 'allkeys-lru')
    const evicted = await run(evicting.url)
    expect(evicted.exitCode).toBe(2)
    expect(evicted.stderr).toContain('removes keys when its memory is full (maxmemory-policy allkeys-lru)')
    // It removes nothing while its memory has no limit.
    const unlimited = await startRedis('--maxmemory-policy', 'allkeys-lru')
    expect((await viva(['queue', 'status', '--queue', unlimited.url], { cwd })).exitCode).toBe(0)
    const { port } = await server()
    const tls = await run(`rediss://127.0.0.1:${port}`)
    expect(tls.exitCode).toBe(3)
    expect(tls.stderr).toContain('does it need redis:// (without TLS)?')
  })

  it('such as a name that somebody else uses is refused with the key that is not of viva', {
    timeout: 60_000,
  }, async () => {
    const cwd = suite()
    const { url, redis, prefix } = await queue()
    await redis.client.set(`${prefix}:runs`, 'of somebody else')
    const flags = ['--queue', url]
    for (const command of [
      ['test', ...inputs, '-o', 'out.jsonl'],
      ['worker'],
      ['queue', 'status'],
      ['queue', 'clean'],
    ]) {
      const { exitCode, stderr } = await viva([...command, ...flags], { cwd })
      expect([exitCode, stderr]).toEqual([
        2,
        expect.stringContaining(
          `the key ${prefix}:runs in ${url} is not of viva: it is a string, where viva keeps a hash (use another database`,
        ),
      ])
    }
    expect(await redis.client.get(`${prefix}:runs`)).toBe('of somebody else')
  })

  it('is also refused by viva worker', { timeout: 60_000 }, async () => {
    const cwd = suite()
    const without = await viva(['worker'], { cwd })
    expect([without.exitCode, without.stderr]).toEqual([2, expect.stringContaining('--queue is missing')])
    const flag = await viva(['worker', '--queue', 'redis://x', '--concurrency', '0'], { cwd })
    expect([flag.exitCode, flag.stderr]).toEqual([
      2,
      expect.stringContaining('--concurrency 0: must be a whole number'),
    ])
    const nobody = await viva(['worker', '--queue', 'redis://127.0.0.1:1'], { cwd })
    expect(nobody.exitCode).toBe(3)
  })

  it('such as a file outside of the project is found before workers look for it', async () => {
    const outside = suite()
    const cwd = project({ 'viva.config.json': '{}', 'agent.mjs': agent })
    cpSync(join(outside, 'cases.jsonl'), join(cwd, '..', 'outside-cases.jsonl'))
    const { url } = await queue()
    const { exitCode, stderr } = await viva(
      ['test', '-i', '../outside-cases.jsonl', '-n', './agent.mjs', '--queue', url],
      { cwd },
    )
    expect(exitCode).toBe(2)
    expect(stderr).toContain('is outside of the project, where workers cannot find it')
  })
})
