import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { isAlive, pidsIn } from './support/processes.ts'
import { jsonl, project, results, spawnViva, startViva, viva } from './support/viva.ts'

function run(cwd: string, ...args: string[]) {
  return viva(['test', '-i', 'cases.jsonl', '-o', 'x.jsonl', ...args], { cwd })
}

describe('module agents', () => {
  it('an agent that never returns fails at its timeout, and the other cases pass', async () => {
    const cwd = project({
      'agent.ts': 'export default (input: string) => { while (input === "loop") {} return input }\n',
      'cases.jsonl': jsonl(
        { id: 'before', input: 'a', assert: { type: 'equals', value: 'a' } },
        { id: 'loops', input: 'loop', timeout: '400ms' },
        { id: 'after', input: 'b', assert: { type: 'equals', value: 'b' } },
      ),
    })
    const { exitCode, stdout } = await run(cwd, '-n', './agent.ts')
    expect(results(join(cwd, 'x.jsonl')).map(({ id, status, error }) => [id, status, error])).toEqual([
      ['before', 'passed', undefined],
      ['loops', 'failed', 'timeout after 400ms'],
      ['after', 'passed', undefined],
    ])
    expect(stdout).toContain('timeout after 400ms')
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
        'export const spy = { execute: (input: unknown, { sessionId, signal, ...ctx }: any) => ({ output: { input, ...ctx, fresh: typeof sessionId, live: signal instanceof AbortSignal } }) }\n',
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
