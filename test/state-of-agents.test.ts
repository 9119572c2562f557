import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startA2AAgent } from './support/a2a-agent.ts'
import { type Line, play as playIn, project, repository } from './support/viva.ts'

const counter = join(repository, 'test/fixtures/tools/counter.mjs')
const mcp = { counter: { command: process.execPath, args: [counter] } }

/** A model that adds one and says the new value. */
const rules = [
  { when: { result: '"value":(\\d+)' }, reply: 'It is {{1}}.' },
  { tool_calls: [{ name: 'counter__add', arguments: {} }] },
]
const connectors = {
  adds: { type: 'scripted', options: { rules } },
  idles: { type: 'scripted', options: { rules: [{ reply: 'It is 1.' }] } },
}

const moduleOf = (value: number) => `
let value = 0
export default () => { value = ${value}; return 'It is 1.' }
export const get = () => ({ value })`

const files = {
  'plain.mjs': 'export default () => "It is 1."',
  'one.mjs': moduleOf(1),
  'none.mjs': moduleOf(0),
  'echo.py': 'import sys\nfor line in sys.stdin: print(\'{"content": "It is 1."}\', flush=True)\n',
}

function folder(agents: object, more: Record<string, string> = {}): string {
  return project({ 'viva.config.json': JSON.stringify({ connectors, agents }), ...files, ...more })
}

const state = (tool: string, value: number) => ({ type: 'state', call: { tool }, path: 'value', value })

/** The check of each agent, by its name. */
async function ask(cwd: string, names: readonly string[], assert: object, more: object = {}) {
  const flags = names.flatMap((name) => ['-n', name])
  const { lines, output } = await playIn(cwd, [{ id: 'a', input: 'add', assert, ...more }], flags)
  const found = lines.map((line) => {
    const [check] = (line.assertions ?? []) as Line[]
    return [String(line.variant ?? names[0]).replace(/@.*/, ''), [check?.status, String(check?.reason)]]
  })
  return { checks: Object.fromEntries(found) as Record<string, [string, string]>, output }
}

/** An agent that says the same to everybody. */
async function serveAgent(): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('{"content": "It is 1."}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

describe('a state check asks the agent that plays the case', () => {
  const clerk = { connector: 'adds', mcp }

  it('where several have a server of the same name', async () => {
    const cwd = folder({ clerk, idler: { connector: 'idles', mcp } })
    const { checks } = await ask(cwd, ['clerk', 'idler'], state('counter__get', 1))
    expect(checks).toMatchObject({
      clerk: ['passed', 'value is 1'],
      idler: ['failed', 'value is 0, expected 1'],
    })
  })

  it.each(['0', '1'])('not the server of another agent: a value of %s', async (value) => {
    const cwd = folder({ clerk, idler: { connector: 'idles' } })
    const { checks } = await ask(cwd, ['clerk', 'idler'], state('get', Number(value)))
    expect(checks.clerk?.[0]).toBe(value === '1' ? 'passed' : 'failed')
    expect(checks.idler).toEqual([
      'unknown',
      'idler has no tool get (it has: none), and no other agent is asked for the state of this case',
    ])
  })

  it('not the server of another agent that all cases share', async () => {
    const shared = { counter: { ...mcp.counter, shared: true } }
    const cwd = folder({ clerk: { connector: 'adds', mcp: shared }, idler: { connector: 'idles' } })
    const { checks } = await ask(cwd, ['clerk', 'idler'], state('counter__get', 1))
    expect(checks).toMatchObject({ clerk: ['passed', 'value is 1'], idler: ['unknown', expect.any(String)] })
  })

  it('not the functions of another module, whichever comes first', async () => {
    const cwd = folder({ one: './one.mjs', none: './none.mjs' })
    for (const names of [
      ['./one.mjs', './none.mjs'],
      ['./none.mjs', './one.mjs'],
    ]) {
      const { checks } = await ask(cwd, names, state('get', 1))
      expect(Object.values(checks).map(([status]) => status)).toEqual(
        names.map((name) => (name === './one.mjs' ? 'passed' : 'failed')),
      )
    }
  })

  it('beside a module, an agent over HTTP, a command', async () => {
    const url = await serveAgent()
    const agents = { clerk, module: './plain.mjs', remote: { url }, command: 'exec:python3 echo.py' }
    for (const other of ['./plain.mjs', 'remote', 'exec:python3 echo.py']) {
      const { checks, output } = await ask(folder(agents), [other, 'clerk'], state('get', 1))
      expect(
        Object.values(checks).map(([status]) => status),
        output,
      ).toEqual(['unknown', 'passed'])
    }
  })
})

const byScript = 'Let a function of a script look it up (`call.script`)'

describe('the state of an agent that runs its tools itself', () => {
  const unseen = (id: string, tool: string) =>
    `${id} runs its tools itself, so what ${tool} would return is unknown. ${byScript}`

  it.each<[string, string, string]>([
    [
      './plain.mjs',
      'plain.mjs',
      ', or export get from the module of the agent; or check its tool calls. To make them visible, wrap them where the agent begins: const tools = ctx.tools({ lookUp, createOrder })',
    ],
    [
      'exec:python3 echo.py',
      'exec:python3 echo.py',
      '; or check its tool calls. To make them visible, print them with the answer: {"content": …, "tool_calls": [{"name": …, "arguments": {…}}]}',
    ],
    [
      'remote',
      'remote',
      '; or check its tool calls. To make them visible, answer with {"content": …, "tool_calls": [{"name": …, "arguments": {…}}]}, or name a `format` or a `response` in the config',
    ],
  ])('is unknown beside a server of another agent: %s', async (name, id, hint) => {
    const cwd = folder({ clerk: { connector: 'adds', mcp }, remote: { url: await serveAgent() } })
    for (const value of [0, 1]) {
      const { checks } = await ask(cwd, [name], state('get', value))
      expect(Object.values(checks)).toEqual([['unknown', unseen(id, 'get') + hint]])
    }
  })

  it('is unknown beside the server of a judge, whichever check comes first', async () => {
    const finding = { when: { result: '"value"' }, reply: '{"passed": true, "reason": "It says so"}' }
    const referee = {
      type: 'scripted',
      options: { rules: [finding, { tool_calls: [{ name: 'counter__add', arguments: {} }] }] },
    }
    const config = { connectors: { referee }, agents: { referee: { connector: 'referee', mcp } } }
    const cwd = project({ 'viva.config.json': JSON.stringify(config), ...files })
    const check = state('counter__get', 1)
    const judge = { type: 'agent', use: 'agents:referee', options: { metadata: { criteria: 'It adds' } } }
    for (const assert of [[check], [check, judge], [judge, check]]) {
      const { lines } = await playIn(cwd, [{ id: 'a', input: 'add', assert }], ['-n', './plain.mjs'])
      const checks = lines[0]?.assertions as Line[]
      expect(Object.fromEntries(checks.map(({ type, status }) => [type, status]))).toEqual({
        state: 'unknown',
        ...(assert.length > 1 && { agent: 'passed' }),
      })
    }
  })

  it('is unknown for a tool that it wraps, whose calls are visible', async () => {
    const wraps = `export default async (_, ctx) => {
  const { get } = ctx.tools({ get: async () => ({ value: 1 }) })
  await get()
  return 'It is 1.'
}`
    const { checks } = await ask(folder({}, { 'wraps.mjs': wraps }), ['./wraps.mjs'], state('get', 1))
    expect(checks).toEqual({
      'wraps.mjs': [
        'unknown',
        `${unseen('wraps.mjs', 'get')}, or export get from the module of the agent; or check its tool calls`,
      ],
    })
  })

  it('is unknown for A2A', async () => {
    const a2a = await startA2AAgent()
    onTestFinished(() => a2a.close())
    const cwd = folder({ clerk: { connector: 'adds', mcp }, remote: { a2a: `${a2a.url}/words` } })
    const { checks } = await ask(cwd, ['remote'], state('counter__get', 0))
    expect(checks.remote).toEqual(['unknown', expect.stringContaining(unseen('remote', 'counter__get'))])
  })

  it('is refused where there is nobody to ask, with the same advice', async () => {
    const url = await serveAgent()
    const { output } = await ask(folder({ remote: { url } }), ['remote'], state('get', 0))
    expect(output).toContain(
      `there is no MCP server whose tools could be called. ${byScript}; or check its tool calls. To make them visible, answer with`,
    )
    const other = folder({ clerk: { connector: 'adds', mcp }, remote: { url } })
    const named = await ask(other, ['remote'], state('orders__get', 0))
    expect(named.output).toContain(`there is no MCP server "orders" (there are: counter). ${byScript}`)
  })

  it.each([
    ['unknown', {}],
    ['unknown', { reset: 'reset' }],
    ['passed', { shared: true }],
  ])('is %s with a server of the app that has %j', async (status, more) => {
    const cwd = folder({ remote: { url: await serveAgent() } }, appWith(more))
    const { checks } = await ask(cwd, ['remote'], state('get', 0))
    expect(checks.remote?.[0]).toBe(status)
  })

  it('does not hide that of its user', async () => {
    const simulator = { use: 'caller', goal: 'To count' }
    const rules = [
      { when: { result: '"value"' }, reply: '{"input": "add", "goal_achieved": true}' },
      { tool_calls: [{ name: 'counter__add', arguments: {} }] },
    ]
    const cwd = folder(
      { remote: { url: await serveAgent() } },
      {
        ...appWith({}),
        'assistants/caller/package.yao':
          '{"name": "Caller", "connector": "calls", "mcp": {"servers": ["counter"]}}',
        'connectors/calls.conn.yao': JSON.stringify({ type: 'scripted', options: { rules } }),
      },
    )
    const one = { id: 'a', turns: [{ input: 'Hi' }], simulator, final_assertions: state('get', 1) }
    for (const flag of ['--record', '--replay']) {
      const { lines, output } = await playIn(cwd, [one], ['-n', 'remote', flag, 'calls.recording'])
      expect(lines[0]?.status, output).toBe('passed')
    }
  })
})

function appWith(server: object): Record<string, string> {
  const written = { transport: 'stdio', command: process.execPath, arguments: [counter], ...server }
  return { 'app.yao': '{}', 'mcps/counter.mcp.yao': JSON.stringify(written) }
}
