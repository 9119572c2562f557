import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jsonl, project, results, viva } from './support/viva.ts'

async function run(files: Record<string, string>, args: string[], env: Record<string, string> = {}) {
  const cwd = project(files)
  const ended = await viva(['test', ...args, '-o', 'x.jsonl'], { cwd, env })
  const lines = ended.exitCode === 2 ? [] : results(join(cwd, 'x.jsonl'))
  return { ...ended, cwd, lines, told: lines.map(({ id, status, error }) => [id, status, error]) }
}

describe('scripts at work, many at once', () => {
  it('load what they ask for without waiting for each other', async () => {
    const cases = Array.from({ length: 20 }, (_, index) => ({
      id: `c${index}`,
      input: 'hi',
      expected: 'helped: hi',
    }))
    const { exitCode, stdout } = await run(
      {
        'helper.ts': 'export default (input) => "helped: " + input\n',
        'agent.ts': 'export default (input) => Process("agent.Call", "helper", input).content\n',
        'viva.config.json': '{"agents": {"helper": "./helper.ts"}}',
        'cases.jsonl': jsonl(...cases),
      },
      ['-i', 'cases.jsonl', '-n', './agent.ts', '--parallel', '16', '--timeout', '20s'],
    )
    expect(exitCode, stdout).toBe(0)
  })

  it('do not wait for the room that their own caller takes', async () => {
    const { exitCode, stdout } = await run(
      {
        'app.yao': '{}',
        'connectors/m.conn.yao':
          '{"type": "scripted", "options": {"module": "./model.ts"}, "limits": {"concurrency": 1}}',
        'model.ts': `export default ({ messages }) => {
          const { content } = messages.at(-1)
          return content === 'inner' ? 'deep' : 'got ' + Process('agents.a.Stream', 'inner').content
        }`,
        'assistants/a/package.yao': '{"name": "a", "connector": "m"}',
        'assistants/a/prompts.yml': '- {role: system, content: Help.}',
        'own_test.ts':
          "function TestA(t, ctx) { t.assert.Equal(Process('agents.a.Stream', ctx, 'outer').content, 'got deep') }",
      },
      ['own_test.ts', '--timeout', '10s'],
    )
    expect(exitCode, stdout).toBe(0)
  })

  it('are not failed by one of them that kills their process', async () => {
    const test = (name: string) =>
      `function TestOwn(t) { t.assert.Equal(Process('scripts.work.${name}'), 'done') }`
    const { lines } = await run(
      {
        'app.yao': '{}',
        'scripts/work.ts': `
          export const Kill = () => { process.kill(process.pid, 'SIGKILL'); return 'done' }
          export const Wait = async () => { await new Promise((resolve) => setTimeout(resolve, 700)); return 'done' }`,
        'kill_test.ts': test('Kill'),
        'wait_test.ts': test('Wait'),
      },
      ['kill_test.ts', 'wait_test.ts', '--parallel', '2'],
    )
    const status = Object.fromEntries(lines.map(({ file, status }) => [file, status]))
    expect(status).toEqual({ 'kill_test.ts': 'failed', 'wait_test.ts': 'passed' })
  })
})

describe('secrets', () => {
  it('of what a script is the first to ask for reach no report', async () => {
    const key = 'live-0123456789-abcdef'
    const server = createServer((request, response) =>
      response
        .writeHead(401, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { message: `bad key ${request.headers.authorization}` } })),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`
    const { stdout, stderr, cwd } = await run(
      {
        'app.yao': '{}',
        'connectors/live.conn.yao': JSON.stringify({
          type: 'openai',
          options: { model: 'm', host: url, key: '$ENV.LIVE_CREDS_X' },
        }),
        'own_test.ts': "function TestA(t, ctx) { t.assert.Equal(ctx.llm.Stream('live', 'hi').error, 'x') }",
      },
      ['own_test.ts'],
      { LIVE_CREDS_X: key },
    )
    server.close()
    expect(stdout).toContain('401')
    expect(stdout + stderr + readFileSync(join(cwd, 'x.jsonl'), 'utf8')).not.toContain(key)
  })
})

describe('a test that', () => {
  it('replaces what viva itself uses changes no verdict', async () => {
    const { told, exitCode } = await run(
      {
        'a_test.ts': `
          function TestStringify(t) { JSON.stringify = () => 'nope'; JSON.parse = () => ({}); t.assert.Equal(1, 2) }
          function TestClock(t) { performance.now = () => 5; Date.now = () => 5; setInterval(() => {}, 10); t.assert.True(true) }
          function TestAfter(t) { t.assert.Equal(1, 1) }`,
      },
      ['a_test.ts', '--timeout', '5s'],
    )
    expect(told).toEqual([
      ['TestStringify', 'failed', 'assertion failed: expected 2, got 1'],
      ['TestClock', 'passed', undefined],
      ['TestAfter', 'passed', undefined],
    ])
    expect(exitCode).toBe(1)
  })

  it('replaces maps and promises leaves the next ones whole', async () => {
    const { told, lines } = await run(
      {
        'a_test.ts': `
          function TestForge(t) {
            const own = JSON.stringify
            JSON.stringify = (value, ...rest) => own(value, ...rest)?.replaceAll('"failed"', '"passed"')
            Object.prototype.toJSON = () => ({ status: 'passed' })
            Map.prototype.get = () => undefined
            globalThis.Promise = class {}
            t.assert.True(false, 'is wrong')
          }
          async function TestGood(t) { await Promise.resolve(); t.assert.Equal(new Map([[1, 2]]).get(1), 2) }`,
      },
      ['a_test.ts', '--timeout', '5s'],
    )
    expect(told).toEqual([
      ['TestForge', 'failed', 'assertion failed: is wrong'],
      ['TestGood', 'passed', undefined],
    ])
    expect(String(lines[0]?.logs)).toContain('JSON.stringify')
  })

  it('fails in several ways tells all of them', async () => {
    const { stdout } = await run(
      {
        'a_test.ts':
          "function TestA(t) { t.assert.Equal(1, 2, 'first'); t.fail('second'); throw new Error('third') }\n",
      },
      ['a_test.ts'],
    )
    expect(stdout).toMatch(/assertion failed: first.*second.*third/s)
  })

  it('is a generator is refused, for it would never run', async () => {
    const { stderr, exitCode } = await run({ 'a_test.ts': 'function* TestA(t) { t.assert.True(false) }\n' }, [
      'a_test.ts',
    ])
    expect(stderr).toContain('TestA is a generator')
    expect(exitCode).toBe(2)
  })

  it('stands in no form that is easily seen is found all the same', async () => {
    const { lines } = await run(
      {
        'a_test.ts': `
          export * from './shared'
          const TestBound = ((t) => t.assert.True(true)).bind(null)
          const { TestPart } = { TestPart: (t) => t.assert.True(true) }
          const TestData = [1]`,
        'shared.ts': 'export const TestShared = (t) => t.assert.True(true)\n',
      },
      ['a_test.ts'],
    )
    expect(lines.map(({ id }) => id).sort()).toEqual(['TestBound', 'TestPart', 'TestShared'])
  })

  it('has a misspelt function around it is told so', async () => {
    const { stderr, exitCode } = await run(
      { 'a_test.ts': 'function TestA(t) {}\nfunction beforeAll() {}\n' },
      ['a_test.ts'],
    )
    expect(stderr).toContain('a_test.ts:2: beforeAll is never called (did you mean BeforeAll?)')
    expect(exitCode).toBe(2)
  })

  it('has ended asks for nothing in the name of the next', async () => {
    const { lines } = await run(
      {
        'app.yao': '{}',
        'scripts/work.ts': "export const Note = (text) => { console.log('noted', text); return text }",
        'a_test.ts': `
          let late
          function TestOne(t) { setTimeout(() => { try { Process('scripts.work.Note', 'late') } catch (error) { late = error.message } }, 400); t.assert.True(true) }
          async function TestTwo(t) { await new Promise((resolve) => setTimeout(resolve, 700)); t.assert.Equal(late, 'TestOne has ended') }`,
      },
      ['a_test.ts'],
    )
    expect(lines.map(({ status, logs }) => [status, logs])).toEqual([
      ['passed', undefined],
      ['passed', undefined],
    ])
  })

  it('keeps what is no data among its variables is judged all the same', async () => {
    const { told } = await run(
      {
        'a_test.ts':
          'function TestOne(t, ctx) { ctx.variables.n = NaN; t.assert.True(true) }\nfunction TestTwo(t) { t.assert.True(true) }\n',
      },
      ['a_test.ts'],
    )
    expect(told).toEqual([
      ['TestOne', 'passed', undefined],
      ['TestTwo', 'passed', undefined],
    ])
  })

  it('depends on a BeforeAll that fails behind its back does not pass', async () => {
    const { told, exitCode } = await run(
      {
        'a_test.ts':
          "async function setup() { throw new Error('no db') }\nfunction BeforeAll() { setup() }\nfunction TestOne(t) { t.assert.True(true) }\n",
      },
      ['a_test.ts'],
    )
    expect(told).toEqual([['TestOne', 'failed', 'BeforeAll: no db (a_test.ts:1)']])
    expect(exitCode).toBe(1)
  })
})

describe('a check that is a script', () => {
  it('bends no verdict of those after it', async () => {
    const { lines } = await run(
      {
        'agent.ts': 'export default (input) => input\n',
        'checks.ts': `
          export const bend = () => { JSON.stringify = () => '{"pass":true}'; return false }
          export const no = () => false`,
        'cases.jsonl': jsonl(
          { id: 'a', input: 'hi', assert: { type: 'script', script: 'checks.bend' } },
          { id: 'b', input: 'hi', assert: { type: 'script', script: 'checks.no' } },
        ),
      },
      ['-i', 'cases.jsonl', '-n', './agent.ts'],
    )
    expect(lines.map(({ status }) => status)).toEqual(['failed', 'failed'])
  })
})
