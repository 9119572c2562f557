import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { jsonl, project, viva } from './support/viva.ts'

const password = 'pass-word-123'
const key = 'key+secret/0123=='
const token = 'token-only-4567'
const secrets = [
  password,
  key,
  'key secret/0123',
  encodeURIComponent(key),
  token,
  Buffer.from(`bob:${password}`).toString('base64'),
]

interface Served {
  /** It contains a name, a password and a key. */
  address: string
  received: IncomingMessage[]
}

/** A server that repeats the address and headers of each request, as servers do in error messages. */
async function serve(answer: (echo: string, request: IncomingMessage) => unknown): Promise<Served> {
  const received: IncomingMessage[] = []
  const server = createServer((request, response) => {
    received.push(request)
    const { authorization } = request.headers
    const said = authorization && Buffer.from(authorization.replace('Basic ', ''), 'base64').toString()
    const echo = `${request.url} ${new URL(request.url ?? '', 'http://x').searchParams.get('key')} ${authorization} ${said}`
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer(echo, request)))
  })
  const url = await listen(server)
  return { address: `${url.replace('//', `//bob:${password}@`)}/agent?key=${key}`, received }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Runs one case and returns everything that was printed and written. */
async function ask(name: string, files: Record<string, unknown> = {}, env: Record<string, string> = {}) {
  const texts = Object.entries(files).map(([file, value]) => [
    file,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const config = { network: { retries: 1, backoff: '5ms' } }
  const cwd = project({
    'viva.config.json': JSON.stringify(config),
    'cases.jsonl': jsonl({ id: 'one', input: 'Hi', expected: 'something else' }),
    ...Object.fromEntries(texts),
  })
  const args = ['test', '-i', 'cases.jsonl', '-n', name, '-o', 'x.jsonl', '-o', 'x.json', '-v']
  const { exitCode, stdout, stderr } = await viva(args, { cwd, env })
  const written =
    exitCode === 2 ? [] : ['x.jsonl', 'x.json'].map((file) => readFileSync(join(cwd, file), 'utf8'))
  return { exitCode, output: [stdout, stderr, ...written].join('\n') }
}

function appWith(server: object): Record<string, unknown> {
  return {
    'app.yao': {},
    'assistants/desk/package.yao': { name: 'Desk', connector: 'fake', mcp: { servers: ['desk'] } },
    'connectors/fake.conn.yao': { type: 'scripted', options: { rules: [{ reply: 'Done.' }] } },
    'mcps/desk.mcp.yao': server,
  }
}

function expectNoSecret(output: string): void {
  for (const secret of secrets) expect(output).not.toContain(secret)
}

describe('credentials in the address of an agent', () => {
  it('credentials of an http agent are sent but never shown', async () => {
    const { address, received } = await serve((echo) => echo)
    const { exitCode, output } = await ask(address)
    expect(received[0]?.headers.authorization).toMatch(/^Basic /)
    expect(exitCode).toBe(1)
    expectNoSecret(output)
  })

  it('a token in the address of an http agent is never shown', async () => {
    const { address } = await serve((echo) => echo)
    const { exitCode, output } = await ask(address.replace(`bob:${password}`, token))
    expect(exitCode).toBe(1)
    expectNoSecret(output)
  })

  it('the password of an A2A agent is always sent, its key only for the card, and neither is shown', async () => {
    const { address, received } = await serve((echo, { url, headers }) => {
      const place = {
        url: `http://${headers.host}/api`,
        protocolBinding: 'HTTP+JSON',
        protocolVersion: '1.0',
      }
      if (url?.includes('agent-card.json'))
        return { name: 'x', supportedInterfaces: [place], capabilities: {} }
      const parts = [{ text: echo }]
      const status = { state: 'TASK_STATE_COMPLETED' }
      return { task: { id: 't', contextId: 'c', status, artifacts: [{ artifactId: 'a', parts }] } }
    })
    const { exitCode, output } = await ask(`a2a:${address}`)
    expect(received.map(({ url }) => url)).toEqual([
      `/agent/.well-known/agent-card.json?key=${key}`,
      '/api/message:send',
    ])
    for (const { headers } of received) expect(headers.authorization).toMatch(/^Basic /)
    expect(exitCode).toBe(1)
    expectNoSecret(output)
  })

  it.each(['http://', 'a2a:http://', 'openai:http://'])('invalid URLs are masked: %s', async (scheme) => {
    const { exitCode, output } = await ask(`${scheme}bob:${password}@:x?key=${key}`)
    expect(output).toContain(`${scheme}…@:x?…: not a`)
    expect(exitCode).toBe(2)
    expectNoSecret(output)
  })
})

it('credentials in the address of an MCP server are sent but never shown', async () => {
  const { address, received } = await serve((echo) => ({
    jsonrpc: '2.0',
    id: 0,
    error: { code: -1, message: echo },
  }))
  const { exitCode, output } = await ask('desk', appWith({ transport: 'http', url: address }))
  expect(received[0]?.headers.authorization).toMatch(/^Basic /)
  expect(output).toContain('MCP server desk could not be reached')
  expect(exitCode).toBe(3)
  expectNoSecret(output)
})

it('credentials in the address of a service are sent but never shown', async () => {
  const agent = 'export default () => "hello"\n'
  const service = `
    import { createServer } from 'node:http'
    createServer((request, response) => {
      const said = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64')
      response.statusCode = request.url.startsWith('/reset') ? 409 : 200
      response.end(request.url + ' ' + request.headers.authorization + ' ' + said)
    }).listen(Number(process.argv[2]), '127.0.0.1')`
  const port = await freePort()
  const url = `http://bob:${password}@127.0.0.1:${port}/agent?key=${key}`
  const { exitCode, output } = await ask('./agent.mjs', {
    'agent.mjs': agent,
    'service.mjs': service,
    'viva.config.json': {
      services: [{ command: `node service.mjs ${port}`, url, reset: url.replace('/agent', '/reset') }],
      network: { retries: 0 },
    },
  })
  expect(output).toContain('could not be reset')
  expect(output).toContain('Basic [redacted]')
  expect(exitCode).toBe(3)
  expectNoSecret(output)
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('secrets that were cut off', () => {
  const long = 'long-secret-0123456789-abcdefghijklmnopqrstuvwxyz'
  const env = { LONG_KEY: long }

  it.each([
    ['the end of a line of stderr', `'x'.repeat(460) + key`],
    ['the start of the stderr that is kept', `key + 'x'.repeat(1970)`],
  ])('no part of a secret is shown that was cut off at %s', async (_, text) => {
    const dying = `const key = process.env.LONG_KEY; console.error(${text}); process.exit(3)`
    const command = { transport: 'stdio', command: process.execPath, arguments: ['-e', dying] }
    const mcp = await ask('desk', appWith(command), env)
    expect(mcp.output).toContain('MCP server desk did not start')
    const agent = await ask('exec:node agent.mjs', { 'agent.mjs': dying }, env)
    expect(agent.output).toContain('exited with code 3')
    for (const { output } of [mcp, agent]) expectNoPart(output)
  })

  it('no part of a secret is shown that was cut off in a stream', async () => {
    const text = `${'y'.repeat(100)} ${long}${'x'.repeat(70)}`
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`data: ${JSON.stringify({ text })}\n\n`)
    })
    const url = await listen(server)
    const config = { stream: 'sse', event: { delta: 'text', end: '[DONE]' } }
    const agents = { support: { url, ...config } }
    const { output } = await ask('support', { 'viva.config.json': { agents, network: { retries: 0 } } }, env)
    expect(output).toContain('ended without its end marker ([DONE]), after: …[redacted]xxx')
    expectNoPart(output)
  })
})

/** A secret that was cut off must be redacted up to the cut, so that nothing useful remains. */
function expectNoPart(output: string): void {
  expect(output).not.toContain('cret-0123456789')
  expect(output).not.toContain('abcdefghijkl')
}
