import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isAlive } from './support/processes.ts'
import { describeWithRedis, startRedis, stopRedisAfterAll } from './support/redis.ts'
import { type Line, play as playIn, project, repository, results, viva } from './support/viva.ts'
import { startWorker } from './support/workers.ts'

const counter = join(repository, 'test/fixtures/tools/counter.mjs')

/** The rules of an agent that adds one to a counter when it is asked to, and says the new value. */
const rules = [
  { when: { result: '"value":(\\d+)' }, reply: 'It is {{1}}.' },
  { when: { user: 'die' }, tool_calls: [{ name: 'counter__die', arguments: {} }] },
  { tool_calls: [{ name: 'counter__add', arguments: {} }] },
]

function app(server: object, more: Record<string, string> = {}): string {
  return project({
    'app.yao': '{}',
    'connectors/script.conn.yao': JSON.stringify({ type: 'scripted', options: { rules } }),
    'assistants/desk/package.yao': JSON.stringify({
      name: 'Desk',
      connector: 'script',
      mcp: { servers: ['counter'] },
    }),
    'mcps/counter.mcp.yao': JSON.stringify(server),
    ...more,
  })
}

const command = (more: object = {}) => ({
  transport: 'stdio',
  command: process.execPath,
  arguments: [counter],
  ...more,
  env: { STARTS: 'starts.log', ...(more as { env?: object }).env },
})

/** Each case adds one twice, and a check asks the server itself for the value. */
const cases = Array.from({ length: 8 }, (_, index) => ({
  id: `case-${index}`,
  turns: [
    { input: 'add', assert: { type: 'contains', value: 'It is 1.' } },
    { input: 'add', assert: { type: 'contains', value: 'It is 2.' } },
  ],
  final_assertions: [{ type: 'state', call: { tool: 'counter__get' }, path: 'value', value: 2 }],
}))

const play = (cwd: string, given: readonly unknown[], ...flags: string[]) =>
  playIn(cwd, given, ['-n', 'desk', ...flags])

const verdicts = (lines: readonly Line[]) => lines.map(({ id, status }) => `${id} ${status}`).sort()
const passed = cases.map(({ id }) => `${id} passed`)
const readStarts = (cwd: string) => {
  const path = join(cwd, 'starts.log')
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').map(Number) : []
}

describe('state of MCP servers', () => {
  it.each(['1', '8'])('every case has a process of its own with --parallel %s', async (parallel) => {
    const cwd = app(command())
    const { lines, exitCode } = await play(cwd, cases, '--parallel', parallel)
    expect(verdicts(lines)).toEqual(passed)
    expect(exitCode).toBe(0)
    expect(readStarts(cwd)).toHaveLength(8)
    expect(readStarts(cwd).filter(isAlive)).toEqual([])
  })

  it('scripts before and after, agents, tools and checks of a case use the same process', async () => {
    const scripts = `
      export function Before(ctx) { ctx.mcp.CallTool('counter', 'add', { by: 10 }) }
      export function After(ctx) {
        const { value } = ctx.mcp.CallTool('counter', 'get', {})
        if (value !== 11) throw new Error('it is ' + value + ' after the case')
      }`
    const cwd = app(command(), { 'scripts/env.ts': scripts })
    const one = {
      id: 'one',
      input: 'add',
      before: 'scripts:env.Before',
      after: 'scripts:env.After',
      assert: { type: 'contains', value: 'It is 11.' },
    }
    const { lines } = await play(cwd, [one, { ...one, id: 'two' }], '--parallel', '2')
    expect(lines.map(({ status, error }) => [status, error])).toEqual([
      ['passed', undefined],
      ['passed', undefined],
    ])
  })

  it('"shared" keeps one process for all cases', async () => {
    const cwd = app(command({ shared: true }))
    const { lines } = await play(cwd, cases)
    expect(verdicts(lines)).toEqual(['case-0 passed', ...cases.slice(1).map(({ id }) => `${id} failed`)])
    expect(readStarts(cwd)).toHaveLength(1)
  })

  it('"reset" keeps the process and calls that tool between cases, and agents are not offered it', async () => {
    const model = `export default ({ tools, messages }) => {
      const last = messages.at(-1)
      if (last.role === 'tool') return { reply: 'It is ' + JSON.parse(last.content).value + '. ' + tools.map((each) => each.function.name) }
      return { tool_calls: [{ name: 'counter__add', arguments: {} }] }
    }`
    const cwd = app(command({ reset: 'reset' }), {
      'model.mjs': model,
      'connectors/script.conn.yao': JSON.stringify({ type: 'scripted', options: { module: 'model.mjs' } }),
    })
    const { lines } = await play(cwd, cases, '--parallel', '2')
    expect(verdicts(lines)).toEqual(passed)
    expect(readStarts(cwd).length).toBeLessThanOrEqual(3)
    expect(JSON.stringify(lines)).toContain('counter__add,counter__get,counter__die')
  })

  it('a reset that fails is an infrastructure error for the next cases, and is printed', async () => {
    const cwd = app(command({ reset: 'reset', env: { RESET_FAILS: '1' } }))
    const { lines, stderr, exitCode } = await play(cwd, cases.slice(0, 3))
    expect(lines.map(({ status, fault }) => [status, fault])).toEqual([
      ['passed', undefined],
      ['failed', 'infrastructure'],
      ['failed', 'infrastructure'],
    ])
    expect(stderr).toContain('MCP server counter could not be reset by its tool reset: it is stuck')
    expect(exitCode).toBe(3)
  })

  it('a process that dies in a case is not replaced within that case', async () => {
    const after = `export function After(ctx) { ctx.mcp.CallTool('counter', 'get', {}) }`
    const cwd = app(command(), { 'scripts/env.ts': after })
    const { lines } = await play(cwd, [
      { id: 'dies', turns: [{ input: 'add' }, { input: 'die' }], after: 'scripts:env.After' },
      { id: 'lives', input: 'add', assert: { type: 'contains', value: 'It is 1.' } },
    ])
    expect(lines[0]).toMatchObject({ status: 'failed', fault: 'infrastructure', error_kind: 'connection' })
    expect(String(lines[0]?.logs)).toContain('MCP server counter ended earlier in this case')
    expect(lines[1]).toMatchObject({ status: 'passed' })
  })

  it('a slow start is mentioned once, with what to do about it', async () => {
    const cwd = app(command({ env: { START_MS: '1100' } }))
    const { stderr } = await play(cwd, cases.slice(0, 2), '--parallel', '2')
    expect(stderr.match(/MCP server counter takes .* to start, and is started for every case/g)).toHaveLength(
      1,
    )
    expect(stderr).toContain('"reset" may name a tool')
  })

  it.each([
    [
      'shared and reset',
      command({ shared: true, reset: 'reset' }),
      '"shared" and "reset" cannot be combined',
    ],
    [
      'shared at a URL',
      { transport: 'http', url: 'http://127.0.0.1:1/', shared: true },
      '"shared" is for transport "stdio"',
    ],
    ['a reset that is not a text', command({ reset: true }), 'reset must be a string'],
  ])('a server file with %s is refused', async (_, server, message) => {
    const { stderr, exitCode } = await play(app(server), cases.slice(0, 1))
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })

  it('a reset that names an unknown tool is an infrastructure error', async () => {
    const { lines, exitCode } = await play(app(command({ reset: 'rewind' })), cases.slice(0, 1))
    expect(lines[0]).toMatchObject({ fault: 'infrastructure', error_kind: 'config' })
    expect(String(lines[0]?.error)).toContain('"reset" names the tool "rewind", which it does not have')
    expect(exitCode).toBe(3)
  })

  it('every script test has a process of its own', async () => {
    const test = (name: string) => `
      export function ${name}(t, ctx) { t.assert.Equal(ctx.mcp.CallTool('counter', 'add', {}).value, 1) }`
    const cwd = app(command(), {
      'assistants/desk/src/index_test.ts': ['TestOne', 'TestTwo', 'TestThree'].map(test).join('\n'),
      'assistants/desk/src/index.ts': '',
    })
    await viva(['test', '-i', 'scripts.desk.index', '-o', 'x.jsonl'], { cwd })
    expect(results(join(cwd, 'x.jsonl')).map(({ status }) => status)).toEqual(['passed', 'passed', 'passed'])
  })
})

interface Asked {
  method: string
  header: string | undefined
  meta: string | undefined
  tool: string | undefined
}

/** Serves one counter for all cases over HTTP, and records every request. */
async function startCounter(): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = []
  let value = 0
  const call = (tool: string) => {
    value = tool === 'add' ? value + 1 : tool === 'reset' ? 0 : value
    return { content: [{ type: 'text', text: JSON.stringify({ value }) }] }
  }
  const answer = (method: string, params: Record<string, unknown>) => {
    if (method === 'initialize')
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'c', version: '1' },
      }
    const tools = ['add', 'get', 'reset'].map((name) => ({ name, inputSchema: { type: 'object' } }))
    return method === 'tools/list' ? { tools } : call(String(params.name))
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const { id, method, params = {} } = JSON.parse(Buffer.concat(chunks).toString())
    const header = request.headers['x-viva-case']
    asked.push({
      method,
      header: typeof header === 'string' ? header : undefined,
      meta: params._meta?.['viva/case'],
      tool: params.name,
    })
    if (id === undefined) return void response.writeHead(202).end()
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answer(method, params) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, asked }
}

describe('MCP servers that viva does not start', () => {
  it('every call carries an opaque id of the case, the same within a case and another in the next', async () => {
    const { url, asked } = await startCounter()
    const cwd = app({ transport: 'http', url })
    await play(cwd, cases.slice(0, 2))
    const calls = asked.filter(({ method }) => method === 'tools/call')
    expect(calls).toHaveLength(6)
    const ids = calls.map(({ header }) => header)
    expect(calls.map(({ meta }) => meta)).toEqual(ids)
    expect(new Set(ids).size).toBe(2)
    expect(ids.join()).not.toContain('case-0')
  })

  it('a server with "reset" is reset before each case, and its cases run one after another', async () => {
    const { url, asked } = await startCounter()
    const cwd = app({ transport: 'http', url, reset: 'reset' })
    const { lines } = await play(cwd, cases, '--parallel', '8')
    expect(verdicts(lines)).toEqual(passed)
    const calls = asked.filter(({ method }) => method === 'tools/call').map(({ tool }) => tool)
    expect(calls).toEqual(cases.flatMap(() => ['reset', 'add', 'add', 'get']))
  })
})

stopRedisAfterAll()

describeWithRedis('with workers, such a server', () => {
  it('is reset before each case, and the cases of all workers run one after another', {
    timeout: 60_000,
  }, async () => {
    const { url, asked } = await startCounter()
    const cwd = app({ transport: 'http', url, reset: 'reset' })
    const redis = await startRedis()
    for (const _ of [1, 2]) startWorker(redis.url, cwd)
    const { lines } = await play(cwd, cases, '--queue', redis.url)
    expect(verdicts(lines)).toEqual(passed)
    const calls = asked.filter(({ method }) => method === 'tools/call').map(({ tool }) => tool)
    expect(calls).toEqual(cases.flatMap(() => ['reset', 'add', 'add', 'get']))
  })
})
