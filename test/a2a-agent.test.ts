import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type A2AServer, startA2AAgent } from './support/a2a-agent.ts'
import { type Ended, jsonl, type Line, project, results, viva } from './support/viva.ts'

const hello = { id: 'hello', input: 'say hello', assert: { type: 'contains', value: 'hello' } }

let agent: A2AServer
beforeAll(async () => {
  agent = await startA2AAgent()
})
afterAll(() => agent.close())

interface Options {
  cases?: unknown[]
  args?: string[]
  agents?: unknown
  env?: Record<string, string>
}

async function ask(name: string, options: Options = {}): Promise<Ended & { played: Line[] }> {
  const { cases = [hello], args = [], agents = {}, env = {} } = options
  const config = { agents, network: { retries: 1, backoff: '5ms' } }
  const cwd = project({ 'viva.config.json': JSON.stringify(config), 'cases.jsonl': jsonl(...cases) })
  const ended = await viva(['test', '-i', 'cases.jsonl', '-n', name, '-o', 'x.jsonl', ...args], { cwd, env })
  return { ...ended, played: ended.exitCode === 2 ? [] : results(join(cwd, 'x.jsonl')) }
}

/** Asks several agents in one run and returns their results in the order of `urls`. */
async function askAll(
  urls: readonly string[],
): Promise<{ exitCode: number | null; played: (Line | undefined)[] }> {
  const [first = '', ...others] = urls.map((url) => `a2a:${url}`)
  const { exitCode, played } = await ask(first, { args: others.flatMap((name) => ['-n', name]) })
  const names = [first, ...others]
  return { exitCode, played: names.map((name) => played.find(({ variant }) => variant === `${name}/`)) }
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts a server with a valid agent card that leaves every other request to `answer`. */
function serveWithCard(answer: RequestListener): Promise<string> {
  return serve((request, response) => {
    if (!request.url?.endsWith('agent-card.json')) {
      answer(request, response)
      return
    }
    const url = `http://${request.headers.host}/rpc`
    const supportedInterfaces = [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }]
    response.end(JSON.stringify({ name: 'x', supportedInterfaces, capabilities: { streaming: true } }))
  })
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
}

describe('A2A agents', () => {
  it('a task that requires input counts as awaiting input, and the next turn continues the same task', async () => {
    const turns = [
      { input: 'ask me', assert: { type: 'contains', value: 'What type' } },
      { input: 'what did I say first?', expected: 'ask me' },
    ]
    const { played, exitCode } = await ask(`a2a:${agent.url}/tasks`, { cases: [{ id: 'asks', turns }] })
    expect(exitCode).toBe(0)
    expect(played[0]?.turns).toMatchObject([
      { awaiting_input: true, awaiting_reason: 'agent_declared' },
      { awaiting_input: false },
    ])
  })

  it('an agent that speaks A2A 0.3 is supported', async () => {
    const asked: string[] = []
    const url = await serve(async (request, response) => {
      if (request.url?.endsWith('agent-card.json')) {
        const card = { name: 'x', description: '', version: '1', protocolVersion: '0.3.0', skills: [] }
        const modes = { defaultInputModes: ['text'], defaultOutputModes: ['text'], capabilities: {} }
        const place = { url: `http://${request.headers.host}/rpc`, preferredTransport: 'JSONRPC' }
        response.end(JSON.stringify({ ...card, ...modes, ...place }))
        return
      }
      const { id, method } = await readBody(request)
      asked.push(String(method))
      const parts = [{ kind: 'text', text: 'hello' }]
      const result = { kind: 'message', messageId: 'm', contextId: 'c', role: 'agent', parts }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })
    const { exitCode, played } = await ask(`a2a:${url}`)
    expect(played[0]).toMatchObject({ status: 'passed', output: 'hello' })
    expect(asked).toEqual(['message/send'])
    expect(exitCode).toBe(0)
  })

  it('an agent that speaks HTTP+JSON is supported', async () => {
    const url = await serve(async (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      if (request.url?.endsWith('agent-card.json')) {
        const place = { url: `http://${request.headers.host}/api`, protocolBinding: 'HTTP+JSON' }
        const supportedInterfaces = [{ ...place, protocolVersion: '1.0' }]
        response.end(JSON.stringify({ name: 'x', supportedInterfaces, capabilities: {} }))
        return
      }
      const { message } = (await readBody(request)) as { message: { parts: { text: string }[] } }
      const parts = [{ data: { heard: message.parts[0]?.text } }]
      const artifacts = [{ artifactId: 'a', parts }]
      const status = { state: 'TASK_STATE_COMPLETED' }
      response.end(JSON.stringify({ task: { id: 't', contextId: 'c', status, artifacts } }))
    })
    const cases = [{ id: 'data', input: 'hello', expected: { heard: 'hello' } }]
    const { exitCode, played } = await ask(`a2a:${url}`, { cases })
    expect(played[0]?.error).toBeUndefined()
    expect(exitCode).toBe(0)
  })

  it('an A2A agent named in the config is sent headers filled in from the environment', async () => {
    const agents = {
      mind: { a2a: `${agent.url}/words`, headers: { authorization: 'Bearer {{env.A2A_KEY}}' } },
    }
    const { exitCode } = await ask('mind', { agents, env: { A2A_KEY: 'key-of-the-mind' } })
    expect(exitCode).toBe(0)
    expect(agent.received.at(-1)).toMatchObject({ authorization: 'Bearer key-of-the-mind' })
  })

  it('the task is cancelled when its case times out', async () => {
    const cases = [{ id: 'hangs', input: 'hang' }]
    const before = agent.canceled.length
    const { exitCode, played } = await ask(`a2a:${agent.url}/tasks`, { cases, args: ['--timeout', '600ms'] })
    expect(played[0]).toMatchObject({ error: 'timeout after 600ms', error_kind: 'timeout' })
    expect(exitCode).toBe(1)
    expect(agent.canceled.length).toBe(before + 1)
  })

  it.each([
    [
      'agent',
      1,
      [
        ['task fail', 'agent error: the task failed: no more minds'],
        ['task reject', 'agent error: the agent rejected the task: no more minds'],
        ['fail', 'agent error: the task failed: Agent execution error: the mind gave out'],
      ],
    ],
    ['infrastructure', 3, [['task login', 'asks for authentication: no more minds']]],
  ])('a task that ends without a result fails the case with fault: %s', async (fault, code, ends) => {
    const cases = ends.map(([input]) => ({ id: input, input }))
    const { exitCode, played } = await ask(`a2a:${agent.url}/tasks`, { cases })
    expect(played).toEqual(
      ends.map(([id, message]) =>
        expect.objectContaining({
          id,
          status: 'failed',
          fault,
          error: expect.stringContaining(message ?? ''),
        }),
      ),
    )
    expect(exitCode).toBe(code)
  })
})

describe('errors of A2A agents', () => {
  it('an A2A agent that cannot be reached is an infrastructure error', async () => {
    const { exitCode, played } = await ask('a2a:http://127.0.0.1:9')
    expect(played[0]).toMatchObject({ fault: 'infrastructure', error_kind: 'connection' })
    expect(played[0]?.error).toContain('no answer from 127.0.0.1:9')
    expect(played[0]?.usage).toMatchObject({ agent: { retries: 1 } })
    expect(exitCode).toBe(3)
  })

  const broken: [string, RequestListener, string, string][] = [
    ['no card', (_, response) => response.writeHead(404).end(), 'http', 'agent-card.json answered 404'],
    [
      'a card that is a page',
      (_, response) => response.end('<html>'),
      'bad_response',
      'does not follow the A2A protocol',
    ],
    [
      'a card without an interface',
      (_, response) => response.end('{}'),
      'bad_response',
      'No compatible transport',
    ],
  ]
  it('an unusable agent card is an infrastructure error', async () => {
    const { exitCode, played } = await askAll(
      await Promise.all(broken.map(([, listener]) => serve(listener))),
    )
    expect(broken.map(([what], index) => [what, played[index]])).toEqual(
      broken.map(([what, , kind, message]) => [
        what,
        expect.objectContaining({
          fault: 'infrastructure',
          error_kind: kind,
          error: expect.stringContaining(message),
        }),
      ]),
    )
    expect(exitCode).toBe(3)
  })

  const rpcError = (code: number) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message: 'oh no' } })
  const answers: [string, RequestListener, string, string, string][] = [
    ['503', (_, response) => response.writeHead(503).end('busy'), 'infrastructure', 'http', 'answered 503'],
    [
      'a page',
      (_, response) => response.end('<html>'),
      'infrastructure',
      'bad_response',
      'does not follow the A2A protocol',
    ],
    [
      'an unknown method',
      (_, response) => response.end(rpcError(-32601)),
      'infrastructure',
      'bad_response',
      'oh no',
    ],
    ['500', (_, response) => response.writeHead(500).end('oh no'), 'agent', 'agent_error', 'answered 500'],
    ['an internal error', (_, response) => response.end(rpcError(-32603)), 'agent', 'agent_error', 'oh no'],
    [
      'a stream that is cut',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('data: {"jsonrpc":"2.0","id":1', () => response.socket?.destroy())
      },
      'infrastructure',
      'truncated',
      'was cut short',
    ],
    [
      'a body that is not gzip',
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('{}'),
      'infrastructure',
      'bad_response',
      'cannot be decompressed: incorrect header check',
    ],
    [
      'an unknown encoding',
      (_, response) => response.writeHead(200, { 'content-encoding': 'zstd' }).end('{}'),
      'infrastructure',
      'bad_response',
      'has the content-encoding "zstd": only gzip, deflate and br can be read',
    ],
    [
      'a decompression bomb',
      (_, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(70 * 1024 * 1024))),
      'infrastructure',
      'bad_response',
      'sent more than 64 MB',
    ],
    [
      'an empty stream',
      (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(),
      'infrastructure',
      'bad_response',
      'sent no answer',
    ],
  ]
  it.each([
    ['infrastructure', 3],
    ['agent', 1],
  ])('each kind of bad answer fails the case with fault: %s', async (fault, code) => {
    const own = answers.filter(([, , whose]) => whose === fault)
    const { exitCode, played } = await askAll(
      await Promise.all(own.map(([, listener]) => serveWithCard(listener))),
    )
    expect(own.map(([what], index) => [what, played[index]])).toEqual(
      own.map(([what, , , kind, message]) => [
        what,
        expect.objectContaining({ fault, error_kind: kind, error: expect.stringContaining(message) }),
      ]),
    )
    expect(exitCode).toBe(code)
  })

  it('a failed poll of a task is repeated, and the message is not sent again', async () => {
    const asked: unknown[] = []
    const url = await serveWithCard(async (request, response) => {
      const { id, method } = await readBody(request)
      asked.push(method)
      const task = (state: string, artifacts: unknown[] = []) => ({
        id: 't',
        contextId: 'c',
        status: { state },
        artifacts,
      })
      if (method === 'SendStreamingMessage') {
        const result = { task: task('TASK_STATE_WORKING') }
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`)
      } else if (asked.length === 2) {
        response.writeHead(503).end('busy')
      } else {
        const result = task('TASK_STATE_COMPLETED', [{ artifactId: 'a', parts: [{ text: 'hello' }] }])
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
      }
    })
    const { exitCode, played } = await ask(`a2a:${url}`)
    expect(asked).toEqual(['SendStreamingMessage', 'GetTask', 'GetTask'])
    expect(played[0]).toMatchObject({ output: 'hello', usage: { agent: { retries: 1 } } })
    expect(exitCode).toBe(0)
  })

  it('a message that the agent may have received is not sent again', async () => {
    let heard = 0
    const url = await serveWithCard((_, response) => {
      heard += 1
      response.writeHead(503).end('busy')
    })
    const { played } = await ask(`a2a:${url}`)
    expect(played[0]).toMatchObject({ fault: 'infrastructure', error_kind: 'http' })
    expect(heard).toBe(1)
  })

  it.each([
    ['a2a:nowhere', {}, 'a2a:nowhere: not a URL'],
    [
      'x',
      { x: { a2a: 'http://x', haeders: {} } },
      'unknown key "haeders" in agents.x (did you mean "headers"?)',
    ],
    ['x', { x: { a2a: 'http://x', headers: { a: '{{input}}' } } }, 'only {{env.NAME}} can be filled in here'],
  ])('a mistake in the config of an A2A agent is refused: %s %j', async (name, agents, message) => {
    const { exitCode, stderr } = await ask(name, { agents })
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })
})
