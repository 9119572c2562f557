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
  return { ...ended, cwd, lines, outcomes: lines.map(({ id, status, error }) => [id, status, error]) }
}

describe('many scripts at the same time', () => {
  it('modules that scripts ask for are loaded in parallel', async () => {
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

  it('a script does not wait for a limit that its own caller uses up', async () => {
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

  it('a script that kills its process fails no other script', async () => {
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

describe('secrets in scripts', () => {
  it('the key of a connector that only a script uses is redacted', async () => {
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

describe('script tests', () => {
  it('a test that replaces JSON or the clock changes no verdict', async () => {
    const { outcomes, exitCode } = await run(
      {
        'a_test.ts': `
          function TestStringify(t) { JSON.stringify = () => 'nope'; JSON.parse = () => ({}); t.assert.Equal(1, 2) }
          function TestClock(t) { performance.now = () => 5; Date.now = () => 5; setInterval(() => {}, 10); t.assert.True(true) }
          function TestAfter(t) { t.assert.Equal(1, 1) }`,
      },
      ['a_test.ts', '--timeout', '5s'],
    )
    expect(outcomes).toEqual([
      ['TestStringify', 'failed', 'assertion failed: expected 2, got 1'],
      ['TestClock', 'passed', undefined],
      ['TestAfter', 'passed', undefined],
    ])
    expect(exitCode).toBe(1)
  })

  it('a test that replaces Map and Promise does not affect the next test', async () => {
    const { outcomes, lines } = await run(
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
    expect(outcomes).toEqual([
      ['TestForge', 'failed', 'assertion failed: is wrong'],
      ['TestGood', 'passed', undefined],
    ])
    expect(String(lines[0]?.logs)).toContain('JSON.stringify')
  })

  it('all failures of a test are printed', async () => {
    const { stdout } = await run(
      {
        'a_test.ts':
          "function TestA(t) { t.assert.Equal(1, 2, 'first'); t.fail('second'); throw new Error('third') }\n",
      },
      ['a_test.ts'],
    )
    expect(stdout).toMatch(/assertion failed: first.*second.*third/s)
  })

  it('a test that is a generator function is refused, because it would never run', async () => {
    const { stderr, exitCode } = await run({ 'a_test.ts': 'function* TestA(t) { t.assert.True(false) }\n' }, [
      'a_test.ts',
    ])
    expect(stderr).toContain('TestA is a generator')
    expect(exitCode).toBe(2)
  })

  it('tests are found when they are re-exported, bound or destructured', async () => {
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

  it('a misspelt BeforeAll is refused with the right name', async () => {
    const { stderr, exitCode } = await run(
      { 'a_test.ts': 'function TestA(t) {}\nfunction beforeAll() {}\n' },
      ['a_test.ts'],
    )
    expect(stderr).toContain('a_test.ts:2: beforeAll is never called (did you mean BeforeAll?)')
    expect(exitCode).toBe(2)
  })

  it('a test that has ended cannot call anything during the next test', async () => {
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

  it('variables that cannot be stored as JSON do not affect the verdict', async () => {
    const { outcomes } = await run(
      {
        'a_test.ts':
          'function TestOne(t, ctx) { ctx.variables.n = NaN; t.assert.True(true) }\nfunction TestTwo(t) { t.assert.True(true) }\n',
      },
      ['a_test.ts'],
    )
    expect(outcomes).toEqual([
      ['TestOne', 'passed', undefined],
      ['TestTwo', 'passed', undefined],
    ])
  })

  it('a BeforeAll with an unhandled rejection fails the tests', async () => {
    const { outcomes, exitCode } = await run(
      {
        'a_test.ts':
          "async function setup() { throw new Error('no db') }\nfunction BeforeAll() { setup() }\nfunction TestOne(t) { t.assert.True(true) }\n",
      },
      ['a_test.ts'],
    )
    expect(outcomes).toEqual([['TestOne', 'failed', 'BeforeAll: no db (a_test.ts:1)']])
    expect(exitCode).toBe(1)
  })
})

describe('script checks', () => {
  it('a script check that replaces JSON.stringify does not affect later checks', async () => {
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
