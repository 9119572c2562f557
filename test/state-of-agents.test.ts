import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
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
