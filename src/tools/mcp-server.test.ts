import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type McpOverHttp, startHttpDesk, startSseServer } from '../../test/fixtures/tools/http.ts'
import { InfrastructureError } from '../errors.ts'
import { createNetwork } from '../models/network/network.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import { createMcpServer } from './mcp-server.ts'
import type { McpCommand, McpSettings } from './mcp-settings.ts'
import { ResetLane } from './reset-lane.ts'
import type { ToolServer } from './tool.ts'

const fixtures = join(import.meta.dirname, '../../test/fixtures/tools')
const network = createNetwork({ connections: 4 })
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

function command(args: string[], more: Partial<McpCommand> = {}): McpCommand {
  return { transport: 'stdio', command: process.execPath, args, env: {}, cwd: fixtures, ...more }
}

function notesFile(): string {
  return join(mkdtempSync(join(tmpdir(), 'viva-')), 'notes')
}

function open(settings: McpSettings): ToolServer {
  const server = createMcpServer('desk.main', settings, new ResetLane())
  closers.push(() => server.close())
  return server
}

async function call(server: ToolServer, name: string, args: unknown = {}, signal?: AbortSignal) {
  const scope = createPlainScope(signal ? { signal } : {})
  const tool = (await server.tools(scope)).find((each) => each.name === `desk_main__${name}`)
  return tool?.call(args, scope)
}

async function failure(work: Promise<unknown>): Promise<InfrastructureError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(InfrastructureError)
  return error as InfrastructureError
}

async function endpoint(started: Promise<McpOverHttp>, transport: 'http' | 'sse' = 'http') {
  const server = await started
  closers.push(() => server.close())
  const headers = { authorization: 'Bearer desk-token' }
  return { ...server, settings: { transport, url: new URL(server.url), headers, network } }
}

/** A server that gives these answers to these methods: a JSON-RPC `result` or `error`. */
function answering(answers: Record<string, object>): McpCommand {
  const greeting = { protocolVersion: '2024-11-05', capabilities: { tools: {} } }
  const initialize = { result: { ...greeting, serverInfo: { name: 'x', version: '1' } } }
  const code = `require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    const answer = ${JSON.stringify({ initialize, ...answers })}[method]
    if (id !== undefined && answer) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })`
  return command(['-e', code], { timeoutMs: 5000 })
}

describe('an MCP server that is a command', () => {
  it('lists its tools under the names that the model sees', async () => {
    const [add] = await open(command(['official.mjs'])).tools(createPlainScope())
    expect(add).toMatchObject({
      name: 'desk_main__add',
      description: 'Adds two numbers',
      inputSchema: { type: 'object', required: ['a', 'b'] },
    })
  })

  it('answers with data where it can, otherwise with text', async () => {
    const server = open(command(['official.mjs']))
    expect(await call(server, 'add', { a: 1, b: 2 })).toEqual({ sum: 3 })
    expect(await call(server, 'look_up', { id: 'A1' })).toEqual({ id: 'A1', status: 'shipped' })
    expect(await call(server, 'wait', { ms: 1 })).toBe('waited 1')
  })

  it('may speak only the newest protocol, or only the first one', async () => {
    expect(await call(open(command(['official.mjs', '--only-new'])), 'add', { a: 1, b: 2 })).toEqual({
      sum: 3,
    })
    const old = open(command(['old.mjs']))
    expect(await call(old, 'shout', { word: 'hey' })).toBe('HEY')
    expect(await call(old, 'whisper', { word: 'HEY' })).toBe('hey')
  })

  it('is one process for simultaneous calls', async () => {
    const notes = notesFile()
    const server = open(command(['official.mjs'], { env: { NOTES: notes } }))
    await Promise.all(Array.from({ length: 8 }, () => call(server, 'add', { a: 1, b: 1 })))
    expect(readFileSync(notes, 'utf8')).toBe('started\n')
  })

  it('that reports a failure itself is not an infrastructure error', async () => {
    const failing = call(open(command(['official.mjs'])), 'fail')
    await expect(failing).rejects.toMatchObject({ name: 'ToolError', message: 'the drawer is stuck' })
  })

  it('is started again after it died during a call', async () => {
    const server = open(command(['official.mjs']))
    const died = await failure(call(server, 'die'))
    expect(died).toMatchObject({ kind: 'connection', retryable: false })
    expect(died.message).toContain('failed while calling die: it ended before it answered')
    expect(died.message).toContain('it wrote to stderr:\nout of paper')
    expect(await call(server, 'add', { a: 2, b: 2 })).toEqual({ sum: 4 })
  })

  it('is told to cancel a call when the signal is aborted, and continues with other calls', async () => {
    const notes = notesFile()
    const server = open(command(['official.mjs'], { env: { NOTES: notes } }))
    await server.tools(createPlainScope())
    const controller = new AbortController()
    const reason = new Error('time is up')
    setTimeout(() => controller.abort(reason), 30)
    await expect(call(server, 'hang', {}, controller.signal)).rejects.toBe(reason)
    expect(await call(server, 'add', { a: 2, b: 2 })).toEqual({ sum: 4 })
    expect(readFileSync(notes, 'utf8')).toBe('started\ncancelled\n')
  })

  it('has a time limit for each call', async () => {
    const server = open(command(['official.mjs'], { timeoutMs: 1500 }))
    const late = await failure(call(server, 'hang'))
    expect(late.message).toBe('tool hang of MCP server desk.main did not answer within 1.5s')
  })

  it('whose result is none of MCP has an infrastructure error', async () => {
    const tools = [{ name: 'go', inputSchema: { type: 'object' } }]
    const answers = (result: object) =>
      answering({ 'tools/list': { result: { tools } }, 'tools/call': { result } })
    const { kind, message } = await failure(call(open(answers({ foo: 1, bar: 2 })), 'go'))
    expect(message).toContain(
      'MCP server desk.main failed while calling go: it does not speak MCP: its result has foo, bar, and no content',
    )
    expect(kind).toBe('connection')
    expect(await call(open(answers({ content: [] })), 'go')).toBe('')
    expect(await call(open(answers({ structuredContent: { sum: 3 }, foo: 1 })), 'go')).toEqual({ sum: 3 })
  })

  it.each([
    ['does not exist', command([], { command: 'viva-no-such-command' }), 'ENOENT'],
    ['ends at once', command(['-e', 'console.error("no config"); process.exit(3)']), 'stderr:\nno config'],
    [
      'is silent',
      command(['-e', 'setInterval(() => {}, 1000)'], { timeoutMs: 300 }),
      'not ready within 300ms',
    ],
    [
      'prints something else',
      command(['-e', 'setInterval(() => console.log("hi"), 20)'], { timeoutMs: 300 }),
      '300ms',
    ],
    [
      'refuses to list its tools',
      answering({ 'tools/list': { error: { code: -32601, message: 'Method not found' } } }),
      'it answered with the error -32601: Method not found (',
    ],
  ])('that %s is an infrastructure error, which is remembered', async (_, settings, words) => {
    const server = open(settings)
    const first = await failure(server.tools(createPlainScope()))
    expect(first.kind).toBe('connection')
    expect(first.message).toContain('MCP server desk.main did not start')
    expect(first.message).toContain(words)
    expect(await failure(server.tools(createPlainScope()))).toBe(first)
  })
})

describe('an MCP server at a URL', () => {
  it.each([false, true])('receives its headers (only the newest protocol: %s)', async (onlyNew) => {
    const { settings, tokens } = await endpoint(startHttpDesk({ onlyNew }))
    const server = open(settings)
    expect(await call(server, 'add', { a: 1, b: 2 })).toEqual({ sum: 3 })
    await expect(call(server, 'fail')).rejects.toMatchObject({ message: 'the drawer is stuck' })
    expect(new Set(tokens)).toEqual(new Set(['Bearer desk-token']))
  })

  it('may speak the first protocol, with server-sent events', async () => {
    const { settings, tokens } = await endpoint(startSseServer(), 'sse')
    expect(await call(open(settings), 'echo', { a: 1 })).toEqual({ a: 1 })
    expect(new Set(tokens)).toEqual(new Set(['Bearer desk-token']))
  })

  it.each([
    [401, 'http', false],
    [404, 'http', false],
    [429, 'rate_limit', true],
    [503, 'http', true],
  ])('that answers %i is an infrastructure error', async (status, kind, retryable) => {
    const { settings } = await endpoint(startHttpDesk({ status }))
    const refused = await failure(open(settings).tools(createPlainScope()))
    expect(refused).toMatchObject({ kind, retryable })
    expect(refused.message).toMatch(`MCP server desk.main could not be reached: it answered ${status}`)
  })

  it('that is not there is an infrastructure error', async () => {
    const { settings, close } = await endpoint(startHttpDesk())
    await close()
    const refused = await failure(open(settings).tools(createPlainScope()))
    expect(refused).toMatchObject({ kind: 'connection', retryable: true })
    expect(refused.message).toContain('ECONNREFUSED')
  })
})
