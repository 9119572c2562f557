import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Ended, jsonl, type Line, project, results, viva } from './support/viva.ts'

const hello = { id: 'hello', input: 'hello', assert: { type: 'contains', value: 'hello' } }
const network = { retries: 1, backoff: '5ms' }

interface Received {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: string
}

interface Served {
  url: string
  received: Received[]
}

async function serve(answer: (response: ServerResponse, received: Received) => void): Promise<Served> {
  const received: Received[] = []
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method, url, headers } = request
    const one = { method, url, headers, body: Buffer.concat(chunks).toString() }
    received.push(one)
    answer(response, one)
  }
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/chat`, received }
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

async function ask(
  agent: unknown,
  options: { cases?: unknown[]; args?: string[]; env?: Record<string, string>; name?: string } = {},
): Promise<Ended & { result: Line | undefined; cwd: string }> {
  const { cases = [hello], args = [], env = {}, name = 'support' } = options
  const agents = agent === undefined ? {} : { support: agent }
  const cwd = project({
    'viva.config.json': JSON.stringify({ agents, network }),
    'cases.jsonl': jsonl(...cases),
  })
  const ended = await viva(['test', '-i', 'cases.jsonl', '-n', name, '-o', 'x.jsonl', ...args], { cwd, env })
  const played = ended.exitCode === 2 ? [] : results(join(cwd, 'x.jsonl'))
  return { ...ended, result: played[0], cwd }
}

/** Asks several agents in one run and returns their results in their order. */
async function askAll(agents: readonly unknown[]): Promise<Ended & { played: (Line | undefined)[] }> {
  const names = agents.map((_, index) => `agent-${index}`)
  const config = { agents: Object.fromEntries(agents.map((agent, index) => [names[index], agent])), network }
  const cwd = project({ 'viva.config.json': JSON.stringify(config), 'cases.jsonl': jsonl(hello) })
  const flags = [...names.flatMap((name) => ['-n', name]), '-o', 'x.jsonl']
  const ended = await viva(['test', '-i', 'cases.jsonl', ...flags], { cwd })
  const lines = results(join(cwd, 'x.jsonl'))
  return { ...ended, played: names.map((name) => lines.find(({ variant }) => variant === name)) }
}

describe('HTTP agents', () => {
  it('an HTTP agent is sent what the mapping says and nothing else', async () => {
    const { url, received } = await serve((response) => json(response, { text: 'hello' }))
    const agent = {
      url: `${url}?locale={{locale}}&tag={{metadata.tag}}`,
      headers: { Authorization: 'Bearer {{env.CHAT_KEY}}', 'X-Turn': '{{turn}}' },
      request: {
        message: '{{input}}',
        who: ['{{userId}}', '{{teamId}}'],
        order: '{{metadata.order}}',
        missing: '{{metadata.nothing}}',
        note: 'turn {{turn}}',
        temperature: '{{options.temperature}}',
      },
      response: { content: 'text' },
    }
    const cases = [{ ...hello, metadata: { tag: 'a b&c', order: { id: 7 } } }]
    const { exitCode, stderr } = await ask(agent, { cases, env: { CHAT_KEY: 'key-of-the-chat' } })
    expect(stderr).toBe('')
    expect(exitCode).toBe(0)
    expect(received).toHaveLength(1)
    const [{ method, url: path, headers, body } = {} as Received] = received
    expect(method).toBe('POST')
    expect(path).toBe('/chat?locale=en-us&tag=a%20b%26c')
    expect(headers).toMatchObject({ authorization: 'Bearer key-of-the-chat', 'x-turn': '1' })
    expect(JSON.parse(body)).toEqual({
      message: 'hello',
      who: ['test-user', 'test-team'],
      order: { id: 7 },
      note: 'turn 1',
    })
  })

  it('values from the environment are shown nowhere', async () => {
    const secret = 'very-secret-0123456789'
    const { url } = await serve((response, { headers }) => json(response, `hello ${headers.authorization}`))
    const agent = { url, headers: { authorization: 'Bearer {{env.CHAT_KEY}}' } }
    const { stdout, stderr, cwd } = await ask(agent, { env: { CHAT_KEY: secret }, args: ['-v', '--json'] })
    const written = readFileSync(join(cwd, 'x.jsonl'), 'utf8')
    expect(written).toContain('Bearer [redacted]')
    expect(written + stdout + stderr).not.toContain(secret)
  })

  it('an agent named by its URL uses the mapping of the config, and needs none', async () => {
    const { url, received } = await serve((response, { body }) =>
      json(response, { content: `hello, ${body.includes('"m":') ? 'mapped' : 'plain'}` }),
    )
    const agent = { url, request: { m: '{{input}}' } }
    const mapped = await ask(agent, { name: url })
    expect(mapped.result?.output).toBe('hello, mapped')
    const plain = await ask(undefined, { name: url })
    expect(plain.result?.output).toBe('hello, plain')
    expect(JSON.parse(received[1]?.body ?? '')).toEqual({
      input: 'hello',
      session_id: expect.any(String),
      history: [],
    })
  })

  it('an HTTP agent may use GET and may answer with plain text', async () => {
    const { url, received } = await serve((response) => response.end('hello there'))
    const { exitCode } = await ask({ url: `${url}?q={{input}}`, method: 'GET' })
    expect(exitCode).toBe(0)
    expect(received).toMatchObject([{ method: 'GET', url: '/chat?q=hello', body: '' }])
  })

  it('answers may be compressed, whole or streamed, and may begin with a byte order mark', async () => {
    const encoded = (encoding: string, body: Buffer) => (response: ServerResponse) => {
      const type = encoding === 'br' ? 'text/event-stream' : 'application/json'
      response.writeHead(200, { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) })
      response.end(body)
    }
    const answer = '\uFEFF{"text":"hello"}'
    const events = 'data: {"piece":"hel"}\n\ndata: {"piece":"lo"}\n\ndata: [DONE]\n\n'
    const servers = await Promise.all([
      serve(encoded('', Buffer.from(answer))),
      serve(encoded('gzip', gzipSync(answer))),
      serve(encoded('deflate', deflateRawSync(answer))),
      serve(encoded('br', brotliCompressSync(events))),
    ])
    const whole = { response: { content: '$.text' } }
    const agents = [whole, whole, whole, { stream: 'sse', event: { delta: '$.piece', end: '[DONE]' } }]
    const { exitCode, played } = await askAll(
      agents.map((agent, index) => ({ url: servers[index]?.url, ...agent })),
    )
    expect(played.map((line) => line?.output)).toEqual(['hello', 'hello', 'hello', 'hello'])
    expect(exitCode).toBe(0)
  })

  it('the address of an HTTP agent may come from the environment', async () => {
    const { url } = await serve((response) => json(response, 'hello'))
    const env = { CHAT_BASE: url.replace('/chat', ''), CHAT_HOST: new URL(url).host }
    const whole = await ask({ url: '{{env.CHAT_BASE}}/chat' }, { env })
    expect(whole.exitCode).toBe(0)
    const host = await ask({ url: 'http://{{env.CHAT_HOST}}/chat' }, { env })
    expect(host.exitCode).toBe(0)
  })

  it('an address from the environment that is not a URL is refused', async () => {
    const none = await ask({ url: '{{env.CHAT_BASE}}/chat' }, { env: { CHAT_BASE: 'nowhere' } })
    expect(none.stderr).toContain('agent support: url must be an http:// or https:// URL')
    expect(none.exitCode).toBe(2)
  })

  it('an HTTP agent takes an object as input', async () => {
    const { url, received } = await serve((response) => json(response, 'hello'))
    await ask({ url, request: '{{input}}' }, { cases: [{ ...hello, input: { order: 7 } }] })
    expect(received[0]?.body).toBe('{"order":7}')
  })

  it('an answer with an error, as the mapping says, is a failure of the agent', async () => {
    const { url } = await serve((response) => json(response, { error: { text: 'no such order' } }))
    const { exitCode, result } = await ask({ url, response: { content: '$.text', error: '$.error.text' } })
    expect(result).toMatchObject({ fault: 'agent', error: 'agent error: no such order' })
    expect(exitCode).toBe(1)
  })
})

describe('errors of HTTP agents', () => {
  const mapping = { response: { content: '$.reply.text' } }
  const sse = { stream: 'sse', event: { delta: '$.piece', end: '[DONE]' } }
  const stream = (response: ServerResponse, text: string) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(text)
  }
  const encoded = (response: ServerResponse, encoding: string, body: Buffer) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding })
    response.end(body)
  }
  const faults: [string, object, (response: ServerResponse) => void, string, string, number][] = [
    [
      'a body that is not gzip',
      mapping,
      (response) => encoded(response, 'gzip', Buffer.from('{"reply":{"text":"hello"}}')),
      'bad_response',
      'cannot be decompressed: incorrect header check',
      1,
    ],
    [
      'an unknown encoding',
      mapping,
      (response) => encoded(response, 'zstd', Buffer.from('x')),
      'bad_response',
      'has the content-encoding "zstd": only gzip, deflate and br can be read',
      1,
    ],
    [
      'a decompression bomb',
      mapping,
      (response) => encoded(response, 'gzip', gzipSync(Buffer.alloc(70 * 1024 * 1024))),
      'bad_response',
      'sent more than 64 MB',
      1,
    ],
    [
      'a mapping that does not fit',
      mapping,
      (response) => json(response, { answer: 'hello' }),
      'bad_response',
      'has nothing at $.reply.text (`response.content` in the config). It begins: {"answer":"hello"}',
      1,
    ],
    [
      'a missing name of a tool',
      { response: { content: '$.text', tool_calls: { path: '$.calls', name: 'nm', arguments: 'p' } } },
      (response) => json(response, { text: 'hello', calls: [{ fn: 'find', p: {} }] }),
      'bad_response',
      'has a tool call with nothing at nm (`response.tool_calls.name` in the config)',
      1,
    ],
    [
      'missing arguments of a tool',
      { response: { content: '$.text', tool_calls: { path: '$.calls', name: 'fn', arguments: 'p' } } },
      (response) => json(response, { text: 'hello', calls: [{ fn: 'find', args: {} }] }),
      'bad_response',
      'has a tool call with nothing at p (`response.tool_calls.arguments` in the config)',
      1,
    ],
    [
      'a part of the reply that has the wrong type',
      { response: { content: '$.text', awaiting_input: '$.state' } },
      (response) => json(response, { text: 'hello', state: 'open' }),
      'bad_response',
      "does not fit the mapping: the agent's awaiting_input is open, must be true or false",
      1,
    ],
    [
      'a missing session',
      { session: '$.id', request: { m: '{{input}}', s: '{{session}}' } },
      (response) => json(response, { content: 'hello' }),
      'bad_response',
      'has nothing at $.id (`session` in the config)',
      1,
    ],
    ['503', {}, (response) => response.writeHead(503).end('{"error":"oh no"}'), 'http', 'answered 503', 2],
    ['529', {}, (response) => response.writeHead(529).end('overloaded'), 'http', 'answered 529', 2],
    [
      '404',
      {},
      (response) => response.writeHead(404).end('gone'),
      'http',
      'answered 404 Not Found: gone (is its URL right?)',
      1,
    ],
    [
      'a web page',
      {},
      (response) => {
        response.writeHead(200, { 'content-type': 'text/html' })
        response.end('<html>proxy</html>')
      },
      'bad_response',
      'is a web page (is the URL right?). It begins: <html>proxy</html>',
      1,
    ],
    [
      'data that is nested too deeply',
      { response: { content: '$.text' } },
      (response) => response.end(`{"text":${'['.repeat(9000)}${']'.repeat(9000)}}`),
      'bad_response',
      'nested deeper than 500 levels',
      1,
    ],
    ['an empty answer', {}, (response) => response.end(), 'bad_response', 'is not JSON. It is empty', 1],
    [
      'a connection that is closed',
      {},
      (response) => response.socket?.destroy(),
      'connection',
      'no answer from 127.0.0.1',
      2,
    ],
    [
      'an answer that is cut off',
      {},
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
        response.write('{"content": "hel', () => response.socket?.destroy())
      },
      'truncated',
      'was cut short',
      2,
    ],
    [
      'a stream without its end',
      sse,
      (response) => stream(response, 'data: {"piece":"hello"}\n\n'),
      'truncated',
      'ended without its end marker ([DONE]), after: hello',
      2,
    ],
    [
      'a stream without text',
      sse,
      (response) => stream(response, 'data: {"words":"hello"}\n\ndata: [DONE]\n\n'),
      'bad_response',
      'has no event with a value at $.piece',
      1,
    ],
    [
      'JSON where the config says that there is a stream',
      sse,
      (response) => json(response, { piece: 'hello' }),
      'bad_response',
      'is not an event stream, although the config says `stream: "sse"`. It begins: {"piece":"hello"}',
      1,
    ],
    [
      'a stream without a mapping',
      {},
      (response) => stream(response, 'data: {"piece":"hello"}\n\n'),
      'bad_response',
      'is a stream: the config must say how to read it',
      1,
    ],
  ]
  it('connection errors and unreadable answers are infrastructure errors', async () => {
    const served = await Promise.all(faults.map(([, , answer]) => serve(answer)))
    const { exitCode, played } = await askAll(
      faults.map(([, agent], index) => ({ url: served[index]?.url, ...agent })),
    )
    expect(faults.map(([what], index) => [what, played[index], served[index]?.received.length])).toEqual(
      faults.map(([what, , , kind, message, calls]) => [
        what,
        expect.objectContaining({
          status: 'failed',
          fault: 'infrastructure',
          error_kind: kind,
          error: expect.stringContaining(message),
        }),
        calls,
      ]),
    )
    expect(exitCode).toBe(3)
  })

  const heard: [string, (response: ServerResponse) => void, number][] = [
    ['503', (response) => response.writeHead(503, { 'retry-after': '0' }).end(), 1],
    ['a connection that is closed', (response) => response.socket?.destroy(), 1],
    ['a stream without its end', (response) => stream(response, 'data: {"piece":"hello"}\n\n'), 1],
    ['429, which means that it was not received', (response) => response.writeHead(429).end(), 2],
  ]
  it('an agent with a session is not asked again when it may have received the message', async () => {
    const served = await Promise.all(heard.map(([, answer]) => serve(answer)))
    const request = { m: '{{input}}', id: '{{sessionId}}' }
    const { played } = await askAll(served.map(({ url }) => ({ url, ...sse, request })))
    expect(
      heard.map(([what], index) => [what, played[index]?.fault, served[index]?.received.length]),
    ).toEqual(heard.map(([what, , calls]) => [what, 'infrastructure', calls]))
  })

  it('an agent with a session is asked again when it cannot have received the message', async () => {
    const nobody = { url: 'http://127.0.0.1:9/chat', request: { m: '{{input}}', id: '{{sessionId}}' } }
    const { result } = await ask(nobody)
    expect(result).toMatchObject({ error_kind: 'connection', usage: { agent: { retries: 1 } } })
  })

  const traceback = 'Traceback (most recent call last): ZeroDivisionError'

  it('500 and most other 5xx are failures of the agent and are not retried', async () => {
    const served = await Promise.all(
      [500, 501, 505, 599].map((status) => serve((response) => response.writeHead(status).end(traceback))),
    )
    const { exitCode, played } = await askAll(served.map(({ url }) => ({ url })))
    for (const [index, { received }] of served.entries()) {
      expect(played[index]).toMatchObject({ status: 'failed', fault: 'agent', error_kind: 'agent_error' })
      expect(played[index]?.error).toContain(traceback)
      expect(received).toHaveLength(1)
    }
    expect(exitCode).toBe(1)
  })

  it('faults in the config decides by status whose fault an answer is', async () => {
    const statuses = [500, 503]
    const served = await Promise.all(
      statuses.map((status) => serve((response) => response.writeHead(status).end(traceback))),
    )
    const cwd = project({
      'viva.config.json': JSON.stringify({ network, faults: { 500: 'infrastructure', 503: 'agent' } }),
      'cases.jsonl': jsonl(hello),
    })
    const flags = served.flatMap(({ url }) => ['-n', url])
    await viva(['test', '-i', 'cases.jsonl', ...flags, '-o', 'x.jsonl'], { cwd })
    expect(results(join(cwd, 'x.jsonl')).map(({ fault }) => fault)).toEqual(['infrastructure', 'agent'])
    expect(served.map(({ received }) => received.length)).toEqual([2, 1])
  })

  it.each([
    [{ '5xx': 'agent' }, 'must be an HTTP status from 400 to 599'],
    [{ 500: 'nobody' }, 'faults'],
  ])('invalid faults in the config are refused: %j', async (faults, message) => {
    const cwd = project({ 'viva.config.json': JSON.stringify({ faults }), 'cases.jsonl': jsonl(hello) })
    const { exitCode, stderr } = await viva(['test', '-i', 'cases.jsonl', '-n', 'http://127.0.0.1:9/'], {
      cwd,
    })
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })

  it('an agent that cannot be reached is an infrastructure error', async () => {
    const { exitCode, result } = await ask(undefined, { name: 'http://127.0.0.1:9/chat' })
    expect(result).toMatchObject({ fault: 'infrastructure', error_kind: 'connection' })
    expect(exitCode).toBe(3)
  })

  it('a request that hangs is closed at the timeout', async () => {
    let closed = false
    const { url } = await serve((response) => {
      response.on('close', () => {
        closed = true
      })
    })
    const { exitCode, result } = await ask({ url }, { args: ['--timeout', '300ms'] })
    expect(result).toMatchObject({ error: 'timeout after 300ms', error_kind: 'timeout' })
    expect(closed).toBe(true)
    expect(exitCode).toBe(1)
  })

  it.each([{ message: 'no tokens' }, { error: { message: 'no tokens', code: 500 } }, { error: 'no tokens' }])(
    'an error event in a stream is a failure of the agent: %j',
    async (data) => {
      const { url } = await serve((response) =>
        stream(response, `event: error\ndata: ${JSON.stringify(data)}\n\n`),
      )
      const { exitCode, result } = await ask({ url, ...sse })
      expect(result).toMatchObject({
        fault: 'agent',
        error: `agent error: ${url} reported an error: no tokens`,
      })
      expect(exitCode).toBe(1)
    },
  )

  it.each([
    [{ message: '429 Too Many Requests' }, 'rate_limit'],
    [{ error: { message: 'no tokens', code: 503 } }, 'http'],
    [{ error: { message: 'see our rate limits', type: 'invalid_request_error', code: 400 } }, 'http'],
  ])('an error event that says a provider refused is an infrastructure error: %j', async (data, kind) => {
    const { url } = await serve((response) =>
      stream(response, `event: error\ndata: ${JSON.stringify(data)}\n\n`),
    )
    const { exitCode, result } = await ask({ url, ...sse })
    expect(result).toMatchObject({ fault: 'infrastructure', error_kind: kind })
    expect(exitCode).toBe(3)
  })
})

describe('mistakes in the mapping of an HTTP agent', () => {
  const url = 'http://127.0.0.1:9/'
  const mistakes: [object, string][] = [
    [{ url, respons: {} }, 'unknown key "respons" in agents.support (did you mean "response"?)'],
    [{ url, response: { contnet: '$.x' } }, 'unknown key "contnet" in agents.support.response'],
    [{ url, request: { a: '{{imput}}' } }, 'unknown placeholder {{imput}}: did you mean {{input}}?'],
    [{ url, headers: { a: '{{evn.X}}' } }, 'agents.support.headers: unknown placeholder {{evn.X}}'],
    [{ url, response: { content: '$.a[' } }, 'agents.support.response.content: not a valid JSONPath'],
    [{ url, response: { awaiting_input: '$.a' } }, 'must have a path for `content` or `output`'],
    [{ url, stream: 'sse' }, 'agents.support.stream: needs `event.delta`'],
    [{ url, method: 'GET', request: {} }, 'agents.support.request: a GET has no body'],
    [{ url, request: '{{session}}' }, 'agents.support.session: is missing'],
    [{ url: 'ftp://x' }, 'agents.support.url: must be an http:// or https:// URL'],
    [{ url, headers: { a: '{{env.VIVA_NOT_SET}}' } }, 'environment variable VIVA_NOT_SET is not set'],
    [{}, 'agents.support needs "url" or "a2a" or "connector"'],
  ]
  it.each(mistakes)('a mistake in the mapping is refused: %j', async (agent, message) => {
    const { exitCode, stdout, stderr } = await ask(agent)
    expect(stderr).toContain(message)
    expect(stdout).toBe('')
    expect(exitCode).toBe(2)
  })
})
