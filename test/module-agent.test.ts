import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { isAlive, pidsIn } from './support/processes.ts'
import { jsonl, type Line, project, results, spawnViva, startViva, viva } from './support/viva.ts'

function run(cwd: string, ...args: string[]) {
  return viva(['test', '-i', 'cases.jsonl', '-o', 'x.jsonl', ...args], { cwd })
}

describe('module agents', () => {
  it('an agent that never returns fails at its timeout, and the other cases pass', async () => {
    const cwd = project({
      'agent.ts': 'export default (input: string) => { while (input === "loop") {} return input }\n',
      'cases.jsonl': jsonl(
        { id: 'before', input: 'a', assert: { type: 'equals', value: 'a' } },
        { id: 'loops', input: 'loop', timeout: '2s' },
        { id: 'after', input: 'b', assert: { type: 'equals', value: 'b' } },
      ),
    })
    const { exitCode, stdout } = await run(cwd, '-n', './agent.ts')
    expect(results(join(cwd, 'x.jsonl')).map(({ id, status, error }) => [id, status, error])).toEqual([
      ['before', 'passed', undefined],
      ['loops', 'failed', 'timeout after 2s: its code blocks its thread at agent.ts:1'],
      ['after', 'passed', undefined],
    ])
    expect(stdout).toContain('timeout after 2s')
    expect(exitCode).toBe(1)
  })

  it('an agent that kills its process fails its case, and the next case passes', async () => {
    const cwd = project({
      'agent.mjs':
        'export default (input) => { if (input === "die") process.kill(process.pid, "SIGKILL"); return input }\n',
      'cases.jsonl': jsonl({ id: 'dies', input: 'die' }, { id: 'lives', input: 'b', expected: 'b' }),
    })
    const { exitCode } = await run(cwd, '-n', './agent.mjs')
    expect(results(join(cwd, 'x.jsonl'))).toMatchObject([
      { id: 'dies', status: 'failed', fault: 'agent', error_kind: 'agent_error' },
      { id: 'lives', status: 'passed' },
    ])
    expect(exitCode).toBe(1)
  })

  it('an agent that kills its process fails no other case that runs at the same time', async () => {
    const cases = Array.from({ length: 12 }, (_, index) => ({
      id: `c${index}`,
      input: index === 3 ? 'die' : 'live',
      expected: 'live',
    }))
    const cwd = project({
      'agent.mjs':
        'export default async (input) => { await new Promise((r) => setTimeout(r, 50)); if (input === "die") process.kill(process.pid, "SIGKILL"); return input }\n',
      'cases.jsonl': jsonl(...cases),
    })
    const { exitCode } = await run(cwd, '-n', './agent.mjs', '--parallel', '6')
    const failed = results(join(cwd, 'x.jsonl')).filter(({ status }) => status !== 'passed')
    expect(failed).toMatchObject([{ id: 'c3', fault: 'agent', error_kind: 'agent_error' }])
    expect(exitCode).toBe(1)
  })

  it('an agent that exceeds the memory limit with buffers fails its case, and the other cases pass', async () => {
    const cwd = project({
      'container.cjs': 'process.constrainedMemory = () => 1024 ** 3\n',
      'agent.mjs': `
        const kept = []
        export default async (input) => {
          while (input === 'fill' && kept.length < 4096) kept.push(Buffer.alloc(1024 * 1024, 1))
          return input
        }`,
      'cases.jsonl': jsonl({ id: 'fills', input: 'fill' }, { id: 'lives', input: 'b', expected: 'b' }),
    })
    const args = ['test', '-i', 'cases.jsonl', '-o', 'x.jsonl', '-n', './agent.mjs', '--parallel', '2']
    const { exitCode } = await spawnViva(args, { cwd, env: { NODE_OPTIONS: '--require ./container.cjs' } })
    expect(
      results(join(cwd, 'x.jsonl')).sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1)),
    ).toMatchObject([
      {
        id: 'fills',
        fault: 'agent',
        error: expect.stringMatching(/the script used \d{3,} MB of memory, and the limit is 512 MB/),
      },
      { id: 'lives', status: 'passed' },
    ])
    expect(exitCode).toBe(1)
  })

  it.each([
    ['in the usual way', ''],
    ['in a process group of its own', ', detached: true'],
    ['in a group of its own, without its environment', ', detached: true, env: { PATH: process.env.PATH }'],
  ])('no process is left behind that the agent started %s', async (_, options) => {
    const cwd = project({
      'agent.mjs': `
        import { spawn } from 'node:child_process'
        export default () => String(spawn('sleep', ['300'], { stdio: 'ignore'${options} }).pid)`,
      'cases.jsonl': jsonl({ id: 'a', input: 'a' }),
    })
    await run(cwd, '-n', './agent.mjs')
    const pid = Number(results(join(cwd, 'x.jsonl'))[0]?.output)
    expect(pid).toBeGreaterThan(1)
    // It is gone, or dead and not yet collected by its new parent.
    const state = () =>
      spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()
    await vi.waitFor(() => expect(state()).toMatch(/^(Z.*)?$/))
  })

  it('no process is left behind when viva is killed', async () => {
    const cwd = project({
      'agent.mjs': `
        import { spawn } from 'node:child_process'
        import { writeFileSync } from 'node:fs'
        export default () => {
          writeFileSync('pids', String(spawn('sleep', ['300'], { stdio: 'ignore', detached: true }).pid))
          return new Promise(() => {})
        }`,
    })
    const child = startViva(['test', '-i', 'hello', '-n', './agent.mjs'], { cwd })
    const [pid = 0] = await pidsIn(cwd)
    expect(isAlive(pid)).toBe(true)
    child.kill('SIGKILL')
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 })
  })

  it('an agent is given the user, the turn, the history and the merged metadata', async () => {
    const cwd = project({
      'agent.ts':
        'export const spy = { execute: (input: unknown, { sessionId, signal, tools, usage, ...ctx }: any) => ({ output: { input, ...ctx, fresh: typeof sessionId, live: signal instanceof AbortSignal } }) }\n',
      'ctx.json': JSON.stringify({
        authorized: { user_id: 'from-file', constraints: { extra: { region: 'eu' } } },
        metadata: { a: 'file', b: 'file' },
        locale: 'zh-cn',
      }),
      'cases.jsonl': jsonl({
        id: 'told',
        user: 'from-case',
        team: 'case-team',
        metadata: { b: 'case', c: 'case' },
        options: { mode: 'task', metadata: { c: 'options', d: 'options' } },
        turns: [
          { input: { city: 'Rome' } },
          { input: 'second', options: { metadata: { d: 'turn', test_id: 'mine' } } },
        ],
      }),
    })
    const { exitCode } = await run(cwd, '-n', './agent.ts#spy', '--ctx', 'ctx.json', '-u', 'from-flag')
    expect(exitCode).toBe(0)
    const [result] = results(join(cwd, 'x.jsonl'))
    const turns = result?.turns as { output: Record<string, unknown> }[]
    const [first, second] = turns.map(({ output }) => output)
    expect(first).toMatchObject({
      input: { city: 'Rome' },
      turn: 1,
      history: [],
      userId: 'from-file',
      teamId: 'case-team',
      locale: 'zh-cn',
      referer: 'test',
      client: { type: 'test', ip: '127.0.0.1' },
      authorized: { user_id: 'from-file', team_id: 'case-team', constraints: { extra: { region: 'eu' } } },
      options: { mode: 'task' },
      metadata: { a: 'file', b: 'case', c: 'options', d: 'options' },
      fresh: 'string',
      live: true,
    })
    expect(second).toMatchObject({ input: 'second', turn: 2, metadata: { d: 'turn', test_id: 'mine' } })
    expect(first?.metadata).not.toHaveProperty('test_id')
    const history = second?.history as { role: string }[]
    expect(history.map(({ role }) => role)).toEqual(['user', 'assistant'])
  })

  it('a tool check on an agent that hides its tools is unknown, also when negated', async () => {
    const cwd = project({
      'agent.mjs': 'export default () => "done"\n',
      'cases.jsonl': jsonl(
        { id: 'hidden', input: 'a', assert: { type: 'tool_called', name: 'pay' } },
        { id: 'hidden-not', input: 'a', assert: { type: 'tool_called', name: 'pay', negate: true } },
      ),
    })
    const { exitCode } = await run(cwd, '-n', './agent.mjs')
    expect(
      results(join(cwd, 'x.jsonl')).map(({ status, fault, error_kind }) => [status, fault, error_kind]),
    ).toEqual([
      ['failed', 'infrastructure', 'judge_unknown'],
      ['failed', 'infrastructure', 'judge_unknown'],
    ])
    expect(exitCode).toBe(3)
  })

  it('an agent that does not compile or has no such export is refused', async () => {
    const cwd = project({
      'broken.ts': 'export default (input: string) => {\n  return input +\n}\n',
      'cases.jsonl': jsonl({ id: 'a', input: 'a' }),
    })
    const { exitCode, stderr } = await run(cwd, '-n', './broken.ts')
    expect(stderr).toContain('broken.ts:3:')
    expect(exitCode).toBe(2)
    const missing = await run(cwd, '-n', './broken.ts#nobody')
    expect(missing.exitCode).toBe(2)
  })

  it('an agent is found by its name in viva.config.ts, and as the default', async () => {
    const cwd = project({
      'viva.config.ts':
        "import { defineConfig } from 'vivavoce'\nconst agents: Record<string, string> = { echo: './src/echo.ts' }\nexport default defineConfig({ agent: 'echo', agents, parallel: 2 })\n",
      'src/echo.ts': 'export default (input: string) => input\n',
      'tests/cases.jsonl': jsonl({ id: 'a', input: 'a', expected: 'a' }),
    })
    const byDefault = await viva(['test', '-i', 'tests/cases.jsonl'], { cwd })
    expect(byDefault.exitCode).toBe(0)
    const named = await viva(['test', '-i', 'hello there', '-n', 'echo'], { cwd })
    expect(named).toMatchObject({ exitCode: 0, stdout: 'hello there\n' })
    const unknown = await viva(['test', '-i', 'hello there', '-n', 'ehco'], { cwd })
    expect(unknown.exitCode).toBe(2)
    expect(unknown.stderr).toContain('unknown agent "ehco"; there are: echo (did you mean "echo"?)')
  })

  it('what an agent prints is in the log of its case, not in the output of viva', async () => {
    const cwd = project({
      'agent.mjs':
        'export default (input) => { console.log(\'{"type":"done"}\'); console.error("thinking"); return input }\n',
      'cases.jsonl': jsonl({ id: 'a', input: 'a', expected: 'a' }),
    })
    const { exitCode, stdout } = await run(cwd, '-n', './agent.mjs')
    expect(exitCode).toBe(0)
    expect(stdout).not.toContain('thinking')
    expect(results(join(cwd, 'x.jsonl'))[0]?.logs).toEqual(['{"type":"done"}', 'thinking'])
  })
})

describe('errors that a module agent leaves behind', () => {
  /** What `throw` and `reject` leave behind fails while `next` waits for it. */
  const agent = `
    import { existsSync, writeFileSync } from 'node:fs'
    import { setTimeout as wait } from 'node:timers/promises'
    const fileIsThere = async (name) => { while (!existsSync(name)) await wait(10) }
    const leaveBehind = async (fail) => {
      await fileIsThere('asked')
      writeFileSync('broken', '')
      fail(new Error('left behind'))
    }
    export default async (input) => {
      if (input === 'throw') void leaveBehind((error) => setImmediate(() => { throw error }))
      if (input === 'reject') void leaveBehind((error) => { throw error })
      if (input === 'next') {
        writeFileSync('asked', '')
        await fileIsThere('broken')
        await wait(10)
      }
      return input
    }`

  it.each(['throw', 'reject'])('a late error is in the log of its unfinished case: %s', async (how) => {
    const cwd = project({
      'agent.mjs': agent,
      'cases.jsonl': jsonl({ id: 'a', turns: [{ input: how }, { input: 'next' }] }),
    })
    await run(cwd, '-n', './agent.mjs')
    expect(results(join(cwd, 'x.jsonl'))).toMatchObject([
      {
        status: 'passed',
        logs: [
          expect.stringMatching(/^agent\.mjs: uncaught error after it had returned: Error: left behind/),
        ],
      },
    ])
  })

  it('an error after the end of its case is printed with the id of the case, and is in no other log', async () => {
    const cwd = project({
      'agent.mjs': agent,
      'cases.jsonl': jsonl({ id: 'a', input: 'throw' }, { id: 'b', input: 'next' }),
    })
    const { stdout } = await run(cwd, '-n', './agent.mjs')
    expect(stdout).toContain('⚠ [a] agent.mjs: uncaught error after it had returned: Error: left behind\n')
    const played = results(join(cwd, 'x.jsonl'))
    expect(played).toMatchObject([{ status: 'passed' }, { status: 'passed' }])
    expect(played[1]).not.toHaveProperty('logs')
  })
})

/** Results by the id of their case. */
function byId(cwd: string): Record<string, Line | undefined> {
  return Object.fromEntries(results(join(cwd, 'x.jsonl')).map((line) => [line.id, line]))
}

const numbered = (count: number, more: (index: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, index) => ({ id: `c${index}`, input: `i${index}`, ...more(index) }))

describe('what an agent throws', () => {
  it('is reported with its place in the project, in lines of the TypeScript', async () => {
    const cwd = project({
      'viva.config.json': '{}',
      'node_modules/shelf/package.json': '{"name": "shelf", "main": "index.js"}',
      'node_modules/shelf/index.js': 'exports.take = (things) => things.first.id',
      'src/orders.ts': `interface Order {
  id: string
}

export function first(orders: Order[] | undefined): string {
  return orders.map(({ id }) => id)[0]
}
`,
      'agent.ts': `import { take } from 'shelf'
import { first } from './src/orders.ts'

type Input = string

export default async function answer(input: Input): Promise<string> {
  if (input === 'parse') return JSON.parse('{')
  if (input === 'package') return take({})
  if (input === 'text') throw 'nothing'
  if (input === 'named') throw new Error('see other.ts:3:1')
  await new Promise((done) => setTimeout(done, 1))
  return first(undefined)
}
`,
      'cases.jsonl': jsonl(
        ...['parse', 'package', 'text', 'named', 'below'].map((input) => ({ id: input, input })),
      ),
    })
    await run(cwd, '-n', './agent.ts')
    const errors = Object.fromEntries(Object.entries(byId(cwd)).map(([id, line]) => [id, line?.error]))
    expect(errors).toEqual({
      parse: expect.stringMatching(/^agent error: .*JSON at position 1.* \(agent\.ts:7:38\)$/),
      package: "agent error: Cannot read properties of undefined (reading 'id') (agent.ts:8:35)",
      text: 'agent error: threw nothing',
      named: 'agent error: see other.ts:3:1',
      below: "agent error: Cannot read properties of undefined (reading 'map') (src/orders.ts:6:17)",
    })
    expect(
      results(join(cwd, 'x.jsonl'))
        .map((line) => JSON.stringify(line))
        .join(),
    ).not.toContain(cwd)
  })
})

describe('calls that share a thread', () => {
  /** Waits until all calls are in flight. A call that is run again finds that they have met. */
  const meeting = (count: number) => `
    import { existsSync, readFileSync, writeFileSync, appendFileSync } from 'node:fs'
    import { setTimeout as wait } from 'node:timers/promises'
    import { threadId } from 'node:worker_threads'
    let here = 0
    const meet = async () => {
      here += 1
      while (here < ${count} && !existsSync('met')) await wait(5)
      writeFileSync('met', '')
    }
    `

  it('many calls are in flight in one thread at the same time', async () => {
    const cwd = project({
      'agent.ts': `${meeting(16)} export default async (): Promise<string> => { await meet(); return 'thread ' + threadId }\n`,
      'cases.jsonl': jsonl(...numbered(16)),
    })
    const { exitCode } = await run(cwd, '-n', './agent.ts', '--parallel', '16')
    expect(exitCode).toBe(0)
    expect(new Set(results(join(cwd, 'x.jsonl')).map(({ output }) => output)).size).toBe(1)
  })

  it('a call that computes is as slow as it is, whatever else its thread does', async () => {
    const cwd = project({
      'agent.mjs': `export default async (input) => {
        const end = performance.now() + 300
        while (performance.now() < end);
        return input
      }`,
      'cases.jsonl': jsonl(
        ...numbered(6).map((each) => ({ ...each, assert: { type: 'latency', max: '250ms' } })),
      ),
    })
    expect(await run(cwd, '-n', './agent.mjs', '--parallel', '6')).toMatchObject({ exitCode: 1 })
    const found = results(join(cwd, 'x.jsonl'))
    expect(found.map(({ error_kind }) => error_kind)).toEqual(Array(6).fill('assertion'))
    for (const { reply_ms } of found) expect(reply_ms).toBeGreaterThanOrEqual(299)
  })

  it('more calls are in flight than there are leased threads', async () => {
    const cwd = project({
      'agent.mjs': `${meeting(0)}
        export default async (input) => {
          appendFileSync('here', 'x')
          while (readFileSync('here', 'utf8').length < 40) await wait(20)
          return input
        }`,
      'cases.jsonl': jsonl(...numbered(40)),
    })
    expect(await run(cwd, '-n', './agent.mjs', '--parallel', '40')).toMatchObject({ exitCode: 0 })
  })

  it('each line that is printed is in the log of its own case', async () => {
    const cwd = project({
      'agent.mjs': `${meeting(3)}
        export default async (input) => {
          await meet()
          for (const part of ['begins', 'goes on', 'ends']) {
            console.log(input, part)
            await wait(5)
          }
          setTimeout(() => process.stdout.write(input + ' in a timer\\n'), 1)
          await wait(50)
          return input
        }`,
      'cases.jsonl': jsonl(...numbered(3)),
    })
    await run(cwd, '-n', './agent.mjs', '--parallel', '3')
    for (const { logs, input } of results(join(cwd, 'x.jsonl')))
      expect(logs).toEqual(['begins', 'goes on', 'ends', 'in a timer'].map((part) => `${input} ${part}`))
  })

  it('an error that nobody awaits fails its own call, and one after the reply is a late error of its own case', async () => {
    const cwd = project({
      'agent.mjs': `${meeting(4)}
        let replied = false
        export default async (input) => {
          await meet()
          if (input === 'throws') setTimeout(() => { throw new Error('in a timer') }, 5)
          if (input === 'rejects') void wait(5).then(() => { throw new Error('in a promise') })
          if (input === 'late') {
            void wait(50).then(() => { replied = true; throw new Error('too late') })
            return input
          }
          while (!replied) await wait(5)
          await wait(50)
          return input
        }`,
      'cases.jsonl': jsonl(...['throws', 'rejects', 'late', 'fine'].map((input) => ({ id: input, input }))),
    })
    const { stdout } = await run(cwd, '-n', './agent.mjs', '--parallel', '4')
    const { throws, rejects, late, fine } = byId(cwd)
    expect(throws).toMatchObject({
      status: 'failed',
      fault: 'agent',
      error: 'agent error: in a timer (agent.mjs:15:60)',
    })
    expect(rejects).toMatchObject({
      status: 'failed',
      fault: 'agent',
      error: expect.stringMatching(/^agent error: in a promise \(agent\.mjs:16:\d+\)$/),
    })
    expect([late?.status, fine?.status, fine?.logs]).toEqual(['passed', 'passed', undefined])
    expect(stdout).toContain('⚠ [late] agent.mjs: uncaught error after it had returned: Error: too late\n')
  })

  it('an error that belongs to no call is held against none of several', async () => {
    const cwd = project({
      'agent.mjs': `
        ${meeting(3)}
        const timer = setInterval(() => {
          if (here < 3 || existsSync('thrown')) return
          clearInterval(timer)
          writeFileSync('thrown', '')
          throw new Error('of the module')
        }, 5)
        export default async (input) => {
          if (!existsSync('thrown')) { await meet(); await wait(60_000) }
          return input
        }`,
      'cases.jsonl': jsonl(...numbered(3, (index) => ({ expected: `i${index}` }))),
    })
    expect(await run(cwd, '-n', './agent.mjs', '--parallel', '3')).toMatchObject({ exitCode: 0 })
  })

  it('a call that blocks its thread is run again alone and blamed with its line, and the others pass', async () => {
    const cwd = project({
      'agent.ts': `${meeting(15)}
        export default async (input: string): Promise<string> => {
          await meet()
          if (input === 'i7') {
            for (;;);
          }
          await wait(50)
          return input
        }`,
      'cases.jsonl': jsonl(
        ...numbered(15, (index) => ({ expected: `i${index}`, timeout: index === 7 ? '2s' : '1s' })),
      ),
    })
    const { exitCode } = await run(cwd, '-n', './agent.ts', '--parallel', '15')
    const failed = results(join(cwd, 'x.jsonl')).filter(({ status }) => status !== 'passed')
    expect(failed).toMatchObject([
      { id: 'c7', fault: 'agent', error: 'timeout after 2s: its code blocks its thread at agent.ts:15' },
    ])
    expect(exitCode).toBe(1)
  })

  it('process.exit ends the call that calls it, and no other one is run again', async () => {
    const cwd = project({
      'agent.mjs': `
        ${meeting(6)}
        export default async (input) => {
          appendFileSync('calls', input + '\\n')
          await meet()
          if (input === 'i2') process.exit(3)
          await wait(50)
          return input
        }`,
      'cases.jsonl': jsonl(...numbered(6)),
    })
    await run(cwd, '-n', './agent.mjs', '--parallel', '6')
    const failed = results(join(cwd, 'x.jsonl')).filter(({ status }) => status !== 'passed')
    expect(failed).toMatchObject([
      { id: 'c2', fault: 'agent', error: 'agent error: process.exit(3) was called' },
    ])
    expect(readFileSync(join(cwd, 'calls'), 'utf8').trim().split('\n')).toHaveLength(6)
  })

  it('a call that ignores its timeout is given up while its neighbours go on, and its thread is not used again', async () => {
    const cwd = project({
      'agent.mjs': `${meeting(3)}
        let ticks = 0
        export default async (input, { signal }) => {
          if (input === 'next') return String(threadId)
          await meet()
          if (input === 'hangs') return new Promise(() => { setInterval(() => { ticks += 1 }, 5) })
          if (input === 'stops') return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
          await wait(1500)
          return threadId + ' ' + (ticks > 0)
        }`,
      'cases.jsonl': jsonl(
        { id: 'hangs', input: 'hangs', timeout: '400ms' },
        { id: 'stops', input: 'stops', timeout: '400ms' },
        { id: 'slow', turns: [{ input: 'slow' }, { input: 'next' }] },
      ),
    })
    await run(cwd, '-n', './agent.mjs', '--parallel', '3')
    const { hangs, stops, slow } = byId(cwd)
    expect([hangs?.error, stops?.error]).toEqual(['timeout after 400ms', 'timeout after 400ms'])
    const [first, second] = (slow?.turns ?? []) as { output: string }[]
    expect(first?.output).toMatch(/^\d+ true$/)
    expect(`${second?.output} true`).not.toBe(first?.output)
  })

  it('a thread in which built-ins were replaced gets no new calls', async () => {
    const cwd = project({
      'agent.mjs': `
        import { threadId } from 'node:worker_threads'
        export default async (input) => {
          if (input === 'spoil') Array.prototype.includes = () => false
          return String(threadId)
        }`,
      'cases.jsonl': jsonl(
        { id: 'a', input: 'a' },
        { id: 'b', input: 'spoil' },
        { id: 'c', input: 'c' },
        { id: 'd', input: 'd' },
      ),
    })
    await run(cwd, '-n', './agent.mjs')
    const [a, b, c, d] = results(join(cwd, 'x.jsonl')).map(({ output }) => output)
    expect([a === b, b === c, c === d]).toEqual([true, false, true])
  })

  it('a call that asks viva for something has a thread of its own', async () => {
    const cwd = project({
      'app.yao': '{}',
      'scripts/tools.ts': 'export function Double(text) { return text + text }\n',
      'agent.mjs': `${meeting(5)}
        export default async (input) => {
          await meet()
          return Process('scripts.tools.Double', input)
        }`,
      'cases.jsonl': jsonl(...numbered(5, (index) => ({ expected: `i${index}i${index}` }))),
    })
    const { exitCode, stdout } = await run(cwd, '-n', './agent.mjs', '--parallel', '5')
    expect(exitCode, stdout).toBe(0)
  })
})

describe('what a module keeps in memory of a conversation', () => {
  const agent = (second: string) => `import { setTimeout as wait } from 'node:timers/promises'
    const sessions = new Map()
    export default async (input, { sessionId, turn }) => {
      const said = sessions.get(sessionId) ?? []
      sessions.set(sessionId, said)
      said.push(input)
      if (input === 'bad' && turn === 2) { ${second} }
      await wait(100)
      return said.join()
    }`
  const talk = (id: string, ...inputs: string[]) => ({
    id,
    turns: inputs.map((input) => ({ input })),
    final_assertions: [{ type: 'equals', value: inputs.join() }],
  })

  it('is there in all its turns, however many cases run at once', async () => {
    const cases = Array.from({ length: 24 }, (_, index) => talk(`c${index}`, 'a', 'b', 'c'))
    const cwd = project({ 'agent.mjs': agent(''), 'cases.jsonl': jsonl(...cases) })
    expect(await run(cwd, '-n', './agent.mjs', '--parallel', '24')).toMatchObject({ exitCode: 0 })
  })

  it('is lost when another case ends the thread, which is not held against the agent', async () => {
    const others = Array.from({ length: 4 }, (_, index) => talk(`c${index}`, 'a', 'b', 'c'))
    const cwd = project({
      'agent.mjs': agent('process.exit(1)'),
      'cases.jsonl': jsonl(talk('bad', 'bad', 'bad'), ...others),
    })
    expect(await run(cwd, '-n', './agent.mjs', '--parallel', '5')).toMatchObject({ exitCode: 1 })
    const found = results(join(cwd, 'x.jsonl'))
    const bad = found.find(({ id }) => id === 'bad')
    const rest = found.filter(({ id }) => id !== 'bad')
    expect(rest).toHaveLength(4)
    expect(bad).toMatchObject({ id: 'bad', fault: 'agent', error_kind: 'agent_error' })
    for (const each of rest)
      expect(each).toMatchObject({
        fault: 'infrastructure',
        error_kind: 'state_lost',
        error: expect.stringContaining('was lost: another case has ended its thread\nThen the case failed: '),
      })
  })
})

describe('the state of a module', () => {
  const counting = {
    'agent.mjs': 'let count = 0\nexport default () => String(++count)\n',
    'cases.jsonl': jsonl(
      { id: 'a', turns: [{ input: 'one' }, { input: 'two' }] },
      { id: 'b', turns: [{ input: 'one' }, { input: 'two' }] },
    ),
  }
  const outputs = (cwd: string) =>
    results(join(cwd, 'x.jsonl')).map(({ turns }) =>
      (turns as { output: string }[]).map(({ output }) => output),
    )

  it('is shared by the cases', async () => {
    const cwd = project(counting)
    await run(cwd, '-n', './agent.mjs')
    expect(outputs(cwd)).toEqual([
      ['1', '2'],
      ['3', '4'],
    ])
  })

  it('stays with its case, even if the case has replaced built-ins', async () => {
    const agent =
      'let count = 0\nexport default () => { Array.prototype.includes = () => false; return String(++count) }\n'
    const cwd = project({ ...counting, 'agent.mjs': agent, 'viva.config.json': '{"isolate": "case"}' })
    await run(cwd, '-n', './agent.mjs')
    expect(outputs(cwd)).toEqual([
      ['1', '2'],
      ['1', '2'],
    ])
  })

  it('belongs to one case with isolate: "case"', async () => {
    const cwd = project({ ...counting, 'viva.config.json': '{"isolate": "case"}' })
    const { exitCode } = await run(cwd, '-n', './agent.mjs')
    expect(outputs(cwd)).toEqual([
      ['1', '2'],
      ['1', '2'],
    ])
    expect(exitCode).toBe(0)
  })
})

describe('mistakes in viva.config.ts', () => {
  const wrong: [string, string, string][] = [
    ['a misspelt key', 'export default { agnet: "x" }', 'unknown key "agnet" (did you mean "agent"?)'],
    ['a function in it', 'export default { agents: { a: () => 1 } }', 'agents.a is a function'],
    ['an error in it', 'throw new Error("no database")', 'no database'],
    ['a wrong type', 'export default { parallel: "many" }', 'parallel must be'],
  ]
  for (const [what, text, message] of wrong) {
    it(`a config with ${what} is refused`, async () => {
      const cwd = project({ 'viva.config.ts': text, 'cases.jsonl': jsonl({ id: 'a', input: 'a' }) })
      const { exitCode, stderr } = await run(cwd)
      expect(stderr).toContain('viva.config.ts')
      expect(stderr).toContain(message)
      expect(exitCode).toBe(2)
    })
  }
})
