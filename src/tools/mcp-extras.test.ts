import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type McpOverHttp, startHttpDesk, startSseServer } from '../../test/fixtures/tools/http.ts'
import { ConfigError, InfrastructureError } from '../errors.ts'
import { createNetwork } from '../models/network/network.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import type { ServerExtras } from './extras.ts'
import { createMcpServer } from './mcp-server.ts'
import type { McpCommand, McpSettings } from './mcp-settings.ts'
import { ResetLane } from './reset-lane.ts'

const fixtures = join(import.meta.dirname, '../../test/fixtures/tools')
const network = createNetwork({ connections: 4 })
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

function command(args: string[], more: Partial<McpCommand> = {}): McpCommand {
  return { transport: 'stdio', command: process.execPath, args, env: {}, cwd: fixtures, ...more }
}

async function endpoint(started: Promise<McpOverHttp>, transport: 'http' | 'sse'): Promise<McpSettings> {
  const server = await started
  closers.push(() => server.close())
  return { transport, url: new URL(server.url), headers: {}, network }
}

function open(settings: McpSettings): ServerExtras {
  const server = createMcpServer('desk.main', settings, new ResetLane())
  closers.push(() => server.close())
  if (server.extras === undefined) throw new Error('a server without extras')
  return server.extras
}

const scope = createPlainScope()

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
}

const waysIn: [string, () => Promise<McpSettings>][] = [
  ['a command', async () => command(['official.mjs'])],
  ['a command that knows only the newest protocol', async () => command(['official.mjs', '--only-new'])],
  ['a URL', () => endpoint(startHttpDesk(), 'http')],
]

describe.each(waysIn)('an MCP server that is %s', (_, settings) => {
  it('offers resources', async () => {
    const extras = open(await settings())
    expect(await extras.resources(scope)).toContainEqual({
      uri: 'desk://rules',
      name: 'rules',
      description: 'The rules',
      mimeType: 'text/plain',
    })
    expect(await extras.readResource('desk://rules', scope)).toEqual({
      contents: [{ uri: 'desk://rules', mimeType: 'text/plain', text: 'Be kind.' }],
    })
    expect(await extras.readResource('desk://stamp', scope)).toEqual({
      contents: [{ uri: 'desk://stamp', mimeType: 'text/plain', blob: 'AAEC' }],
    })
    expect((await extras.readResource('desk://orders/7', scope)).contents[0]?.text).toBe('order 7')
  })

  it('offers prompts, whose arguments are texts', async () => {
    const extras = open(await settings())
    expect(await extras.prompts(scope)).toEqual([
      {
        name: 'greet',
        description: 'Greets',
        arguments: [
          { name: 'name', description: 'Whom', required: true },
          { name: 'loud', required: false },
        ],
      },
    ])
    expect(await extras.prompt('greet', { name: 'Ann', loud: true }, scope)).toEqual({
      description: 'A greeting',
      messages: [{ role: 'user', content: { type: 'text', text: 'Greet Ann, loud: true' } }],
    })
    const without = await extras.prompt('greet', { name: 'Ann', loud: null }, scope)
    expect(without.messages[0]?.content.text).toBe('Greet Ann, loud: undefined')
  })

  it('reports its own errors', async () => {
    const extras = open(await settings())
    expect(await failure(extras.readResource('desk://nothing', scope))).toMatchObject({
      name: 'ToolError',
      message: expect.stringMatching(/^resource desk:\/\/nothing of MCP server desk\.main: .*not found/i),
    })
    expect(await failure(extras.readResource('desk://jam', scope))).toMatchObject({
      name: 'ToolError',
      message: 'resource desk://jam of MCP server desk.main: the drawer is stuck',
    })
    expect(await failure(extras.prompt('bow', {}, scope))).toMatchObject({
      name: 'ToolError',
      message: expect.stringContaining('prompt bow of MCP server desk.main: '),
    })
    expect(await failure(extras.prompt('greet', {}, scope))).toMatchObject({
      name: 'ToolError',
      message: expect.stringContaining('prompt greet of MCP server desk.main: '),
    })
  })

  it('has no samples', async () => {
    expect(open(await settings()).samples('tool', 'add')).toEqual([])
  })
})

describe('an MCP server', () => {
  it('is read to the last page of its lists', async () => {
    const extras = open(command(['old.mjs']))
    expect(await extras.resources(scope)).toEqual([
      { uri: 'old://one', name: 'one' },
      { uri: 'old://two', name: 'two' },
    ])
    expect(await extras.prompts(scope)).toEqual([{ name: 'one' }, { name: 'two' }])
    expect(await extras.readResource('old://one', scope)).toEqual({
      contents: [{ uri: 'old://one', text: 'OLD://ONE' }],
    })
  })

  it('without resources and prompts has empty lists and nothing to read', async () => {
    const extras = open(await endpoint(startSseServer(), 'sse'))
    expect(await extras.resources(scope)).toEqual([])
    expect(await extras.prompts(scope)).toEqual([])
    for (const [work, message] of [
      [extras.readResource('desk://rules', scope), 'MCP server desk.main offers no resources'],
      [extras.prompt('greet', {}, scope), 'MCP server desk.main offers no prompts'],
    ] as const) {
      const refused = await failure(work)
      expect(refused).toBeInstanceOf(ConfigError)
      expect(refused).toMatchObject({ message })
    }
  })

  it('has a time limit for each request', async () => {
    const extras = open(command(['official.mjs'], { timeoutMs: 1500 }))
    const late = await failure(extras.readResource('desk://hole', scope))
    expect(late).toBeInstanceOf(InfrastructureError)
    expect(late).toMatchObject({
      kind: 'connection',
      message: 'resource desk://hole of MCP server desk.main did not answer within 1.5s',
    })
  })

  it('is told to cancel a request when the signal is aborted', async () => {
    const extras = open(command(['official.mjs']))
    await extras.resources(scope)
    const controller = new AbortController()
    const reason = new Error('time is up')
    setTimeout(() => controller.abort(reason), 30)
    const work = extras.readResource('desk://hole', createPlainScope({ signal: controller.signal }))
    expect(await failure(work)).toBe(reason)
  })

  it('that disappears while it is read is a retryable infrastructure error', async () => {
    const server = await startHttpDesk()
    const extras = open({ transport: 'http', url: new URL(server.url), headers: {}, network })
    await extras.resources(scope)
    await server.close()
    const gone = await failure(extras.readResource('desk://rules', scope))
    expect(gone).toMatchObject({ name: 'InfrastructureError', kind: 'connection', retryable: true })
    expect(String(gone)).toContain('MCP server desk.main failed while reading resource desk://rules: ')
    expect(String(await failure(extras.prompts(scope)))).toContain('failed while listing its prompts: ')
  })
})
