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
  /** With a name, a password and a key in it. */
  address: string
  received: IncomingMessage[]
}

/** Speaks of the address and the headers of each request, as servers do when something is wrong. */
async function serve(answer: (told: string, request: IncomingMessage) => unknown): Promise<Served> {
  const received: IncomingMessage[] = []
  const server = createServer((request, response) => {
    received.push(request)
    const { authorization } = request.headers
    const said = authorization && Buffer.from(authorization.replace('Basic ', ''), 'base64').toString()
    const told = `${request.url} ${new URL(request.url ?? '', 'http://x').searchParams.get('key')} ${authorization} ${said}`
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer(told, request)))
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

/** All that was printed and written. */
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
  return { exitCode, told: [stdout, stderr, ...written].join('\n') }
}

function appWith(server: object): Record<string, unknown> {
  return {
    'app.yao': {},
    'assistants/desk/package.yao': { name: 'Desk', connector: 'fake', mcp: { servers: ['desk'] } },
    'connectors/fake.conn.yao': { type: 'scripted', options: { rules: [{ reply: 'Done.' }] } },
    'mcps/desk.mcp.yao': server,
  }
}

function expectNoSecret(told: string): void {
  for (const secret of secrets) expect(told).not.toContain(secret)
}

describe('what the address of an agent holds is told to nobody', () => {
  it('of an http agent', async () => {
    const { address, received } = await serve((told) => told)
    const { exitCode, told } = await ask(address)
    expect(received[0]?.headers.authorization).toMatch(/^Basic /)
    expect(exitCode).toBe(1)
    expectNoSecret(told)
  })

  it('of an http agent with a token alone', async () => {
    const { address } = await serve((told) => told)
    const { exitCode, told } = await ask(address.replace(`bob:${password}`, token))
    expect(exitCode).toBe(1)
    expectNoSecret(told)
  })

  it('of an a2a agent, which is sent name and password, and the key with the question for its card', async () => {
    const { address, received } = await serve((told, { url, headers }) => {
      const place = {
        url: `http://${headers.host}/api`,
        protocolBinding: 'HTTP+JSON',
        protocolVersion: '1.0',
      }
      if (url?.includes('agent-card.json'))
        return { name: 'x', supportedInterfaces: [place], capabilities: {} }
      const parts = [{ text: told }]
      const status = { state: 'TASK_STATE_COMPLETED' }
      return { task: { id: 't', contextId: 'c', status, artifacts: [{ artifactId: 'a', parts }] } }
    })
    const { exitCode, told } = await ask(`a2a:${address}`)
    expect(received.map(({ url }) => url)).toEqual([
      `/agent/.well-known/agent-card.json?key=${key}`,
      '/api/message:send',
    ])
    for (const { headers } of received) expect(headers.authorization).toMatch(/^Basic /)
    expect(exitCode).toBe(1)
    expectNoSecret(told)
  })

  it.each(['http://', 'a2a:http://', 'openai:http://'])('of one that is none: %s', async (scheme) => {
    const { exitCode, told } = await ask(`${scheme}bob:${password}@:x?key=${key}`)
    expect(told).toContain(`${scheme}…@:x?…: not a`)
    expect(exitCode).toBe(2)
    expectNoSecret(told)
  })
})

it('what the address of an MCP server holds is sent, and told to nobody', async () => {
  const { address, received } = await serve((told) => ({
    jsonrpc: '2.0',
    id: 0,
    error: { code: -1, message: told },
  }))
  const { exitCode, told } = await ask('desk', appWith({ transport: 'http', url: address }))
  expect(received[0]?.headers.authorization).toMatch(/^Basic /)
  expect(told).toContain('MCP server desk could not be reached')
  expect(exitCode).toBe(3)
  expectNoSecret(told)
})

it('what the address of a service holds is sent, and told to nobody', async () => {
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
  const { exitCode, told } = await ask('./agent.mjs', {
    'agent.mjs': agent,
    'service.mjs': service,
    'viva.config.json': {
      services: [{ command: `node service.mjs ${port}`, url, reset: url.replace('/agent', '/reset') }],
      network: { retries: 0 },
    },
  })
  expect(told).toContain('could not be reset')
  expect(told).toContain('Basic [redacted]')
  expect(exitCode).toBe(3)
  expectNoSecret(told)
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('of a secret that was cut, no part is told', () => {
  const long = 'long-secret-0123456789-abcdefghijklmnopqrstuvwxyz'
  const env = { LONG_KEY: long }

  it.each([
    ['at the end of a line of stderr', `'x'.repeat(460) + key`],
    ['at the start of all that is kept', `key + 'x'.repeat(1970)`],
  ])('%s', async (_, text) => {
    const dying = `const key = process.env.LONG_KEY; console.error(${text}); process.exit(3)`
    const command = { transport: 'stdio', command: process.execPath, arguments: ['-e', dying] }
    const mcp = await ask('desk', appWith(command), env)
    expect(mcp.told).toContain('MCP server desk did not start')
    const agent = await ask('exec:node agent.mjs', { 'agent.mjs': dying }, env)
    expect(agent.told).toContain('ended with exit code 3')
    for (const { told } of [mcp, agent]) expectNoPart(told)
  })

  it('in what came of a stream', async () => {
    const text = `${'y'.repeat(100)} ${long}${'x'.repeat(70)}`
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`data: ${JSON.stringify({ text })}\n\n`)
    })
    const url = await listen(server)
    const config = { stream: 'sse', event: { delta: 'text', end: '[DONE]' } }
    const agents = { support: { url, ...config } }
    const { told } = await ask('support', { 'viva.config.json': { agents, network: { retries: 0 } } }, env)
    expect(told).toContain('ended without its end marker ([DONE]), after: …[redacted]xxx')
    expectNoPart(told)
  })
})

/** Secrets are masked whole or by as much of them as is told: what is left of one is not worth a thing. */
function expectNoPart(told: string): void {
  expect(told).not.toContain('cret-0123456789')
  expect(told).not.toContain('abcdefghijkl')
}
