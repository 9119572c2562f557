import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { ConfigError, WorldError } from '../errors.ts'
import {
  type FakeAnswer,
  type FakeOpenAIServer,
  startFakeOpenAIServer,
} from '../testing/fake-openai-server.ts'
import { createPlainScope } from '../testing/plain-scope.ts'
import { createOpenAIModel, type OpenAIConnection } from './openai-compatible.ts'

const question = { messages: [{ role: 'user' as const, content: 'Hi' }], tools: [], settings: {} }
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

async function start(answer: FakeAnswer): Promise<FakeOpenAIServer> {
  const server = await startFakeOpenAIServer({ answer: () => answer })
  closers.push(() => server.close())
  return server
}

async function failureAt(baseURL: string, more: Partial<OpenAIConnection> = {}): Promise<WorldError> {
  const model = createOpenAIModel({ baseURL, model: 'm', ...more })
  const failure = await model.generate(question, createPlainScope()).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(WorldError)
  return failure as WorldError
}

async function failureOf(answer: FakeAnswer, more: Partial<OpenAIConnection> = {}): Promise<WorldError> {
  return failureAt((await start(answer)).url, more)
}

/** A server that does with a connection what HTTP servers do not. */
async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => new Promise((resolve) => server.close(() => resolve())))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

function rawServer(answer: string): Promise<string> {
  return listen(
    createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.once('data', () => socket.end(answer))
    }),
  )
}

describe('a status that is no success', () => {
  test.each([
    ['retry-after', '2', 2000],
    ['retry-after', '0.5', 500],
    ['retry-after-ms', '120', 120],
    ['retry-after', 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['retry-after', 'soon', undefined],
  ])('429 is a rate limit, and %s: %s is how long to wait', async (name, value, expected) => {
    const failure = await failureOf({ status: 429, headers: { [name]: value } })
    expect(failure).toMatchObject({ kind: 'rate_limit', retryable: true, retryAfterMs: expected })
  })

  test('429 may name a moment to come', async () => {
    const later = new Date(Date.now() + 3_600_000).toUTCString()
    const { retryAfterMs } = await failureOf({ status: 429, headers: { 'retry-after': later } })
    expect(retryAfterMs).toBeGreaterThan(3_000_000)
    expect(retryAfterMs).toBeLessThanOrEqual(3_600_000)
  })

  test('429 for lack of quota is not worth another try', async () => {
    const error = { message: 'You exceeded your current quota', code: 'insufficient_quota' }
    const failure = await failureOf({ status: 429, headers: { 'retry-after': '1' }, error })
    expect(failure).toMatchObject({ kind: 'quota', retryable: false, retryAfterMs: undefined })
    expect(failure.message).toContain('You exceeded your current quota')
  })

  test.each([500, 502, 503, 529, 408, 409])('%d may pass', async (status) => {
    const failure = await failureOf({ status, headers: { 'retry-after': '3' } })
    expect(failure).toMatchObject({ kind: 'http', retryable: true, retryAfterMs: 3000 })
    expect(failure.message).toContain(String(status))
  })

  test.each([301, 400, 402, 404, 413, 422])('%d will not pass', async (status) => {
    const failure = await failureOf({ status })
    expect(failure).toMatchObject({ kind: 'http', retryable: false })
    expect(failure.message).toContain(`answered ${status}`)
  })

  test('is told with the words of the provider, cut, and the URL without its secrets', async () => {
    const server = await start({ status: 400, error: { message: `Unknown field\n${'x'.repeat(5000)}` } })
    const baseURL = `${server.url.replace('//', '//ann:secret@')}?key=hidden`
    const { message } = await failureAt(baseURL)
    expect(message).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions answered 400 Bad Request: Unknown field x+…$/,
    )
    expect(message.length).toBeLessThan(620)
  })

  test.each([
    ['{"error":"plain words"}', 'plain words'],
    ['{"message":"top words"}', 'top words'],
    ['{"detail":"a detail"}', 'a detail'],
    ['[{"error":{"message":"in a list"}}]', 'in a list'],
    ['{"detail":[{"loc":["body"]}]}', '{"detail":[{"loc":["body"]}]}'],
    ['<h1>Bad gateway</h1>', '<h1>Bad gateway</h1>'],
  ])('is told from the body %s', async (body, words) => {
    expect((await failureOf({ status: 502, body })).message).toMatch(new RegExp(`: ${escaped(words)}$`))
  })

  test('401 and 403 point at the key', async () => {
    expect((await failureOf({ status: 401 })).message).toContain('no API key was sent')
    expect((await failureOf({ status: 403 }, { apiKey: 'sk-1' })).message).toContain('check the API key')
  })

  test('is known even when its body is cut or endless, and leaves the connection usable when it is neither', async () => {
    expect(await failureOf({ status: 503, cut: 'before-body' })).toMatchObject({
      kind: 'http',
      retryable: true,
    })
    expect(await failureOf({ status: 503, cut: 'mid-stream' })).toMatchObject({
      kind: 'http',
      retryable: true,
    })
    const long = await failureOf({ status: 400, body: `{"error":"words"}${' '.repeat(1024 * 1024)}` })
    expect(long).toMatchObject({ kind: 'http', retryable: false })
    const server = await start({ status: 500 })
    for (let call = 0; call < 5; call++) await failureAt(server.url)
    expect(server.requests).toHaveLength(5)
    expect(server.requests.at(-1)?.connection).toBeLessThanOrEqual(2)
  })
})

describe('no answer', () => {
  const connection = { kind: 'connection', retryable: true }

  test('from a port where nobody listens', async () => {
    const server = await startFakeOpenAIServer()
    await server.close()
    for (const host of ['127.0.0.1', 'localhost']) {
      const failure = await failureAt(server.url.replace('127.0.0.1', host))
      expect(failure).toMatchObject(connection)
      expect(failure.message).toMatch(new RegExp(`${escaped(host)}:\\d+ \\(ECONNREFUSED(: .+)?\\)$`))
    }
  })

  test('from a host that does not exist', async () => {
    // A label of more than 63 letters is refused by the resolver of this machine itself.
    const failure = await failureAt(`http://${'x'.repeat(64)}.invalid/v1`)
    expect(failure).toMatchObject(connection)
    expect(failure.message).toMatch(/\.invalid:80 .*(ENOTFOUND|EAI_)/)
  })

  test('from a server that resets the connection', async () => {
    const failure = await failureOf({ cut: 'reset' })
    expect(failure).toMatchObject(connection)
    expect(failure.message).toContain('ECONNRESET')
  })

  test('from a server that closes the connection', async () => {
    const failure = await failureAt(await rawServer(''))
    expect(failure).toMatchObject(connection)
    expect(failure.message).toMatch(/127\.0\.0\.1:\d+ .*other side closed/)
  })

  test('over TLS from a server that has none', async () => {
    const server = await start('a')
    const failure = await failureAt(server.url.replace('http:', 'https:'))
    expect(failure).toMatchObject(connection)
    expect(failure.message).toMatch(/127\.0\.0\.1:\d+ .*SSL/)
  })
})

describe('an answer that is not complete', () => {
  const truncated = { kind: 'truncated', retryable: true }

  test.each([true, false])('was cut after its head or in its body (streamed: %s)', async (stream) => {
    expect(await failureOf({ text: 'one two three', cut: 'before-body' }, { stream })).toMatchObject(
      truncated,
    )
    expect(await failureOf({ text: 'one two three', cut: 'mid-stream' }, { stream })).toMatchObject(truncated)
  })

  test('is a stream that ends in order but without a reason to finish', async () => {
    const failure = await failureOf({ events: [{ choices: [{ delta: { content: 'I was going to' } }] }] })
    expect(failure).toMatchObject(truncated)
    expect(failure.message).toContain('I was going to')
    expect(await failureOf({ events: [] })).toMatchObject(truncated)
  })

  test('is shorter than announced', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
    const body = '{"choices":[{"message":{"content":"a"'
    const size = body.length.toString(16)
    for (const announced of [
      `content-length: 500\r\n\r\n${body}`,
      `content-length: 500\r\nconnection: close\r\n\r\n${body}`,
      `transfer-encoding: chunked\r\n\r\n${size}\r\n${body}\r\n`,
      `transfer-encoding: chunked\r\nconnection: close\r\n\r\n${size}\r\n${body}\r\n`,
      `\r\n${body}`,
    ]) {
      expect(await failureAt(await rawServer(`${head}${announced}`)), announced).toMatchObject(truncated)
    }
  })
})

describe('an error inside an answer', () => {
  const said = { choices: [{ delta: { content: 'a' } }] }

  test.each([
    [{ message: 'Overloaded', type: 'overloaded_error' }, 'http', true],
    [{ message: 'Internal server error' }, 'http', true],
    [{ message: 'upstream', code: 502 }, 'http', true],
    [{ message: 'upstream', code: '503' }, 'http', true],
    [{ message: 'upstream is unavailable', code: 400 }, 'http', false],
    [{ message: 'too long', code: 'context_length_exceeded' }, 'http', false],
    [{ message: 'slow down', code: 429 }, 'rate_limit', true],
    [{ message: 'pay', code: 'insufficient_quota' }, 'quota', false],
    ['just words', 'http', false],
  ])('%j is %s, worth another try: %s', async (error, kind, retryable) => {
    const message = expect.stringContaining(typeof error === 'string' ? error : error.message)
    expect(await failureOf({ events: [said, { error }, '[DONE]'] })).toMatchObject({
      kind,
      retryable,
      message,
    })
    expect(await failureOf({ body: { error } }, { stream: false })).toMatchObject({
      kind,
      retryable,
      message,
    })
  })

  test('may be told by the name of the event', async () => {
    const body = 'event: error\ndata: {"type":"overloaded_error","message":"Overloaded"}\n\n'
    const failure = await failureOf({ body, headers: { 'content-type': 'text/event-stream' } })
    expect(failure).toMatchObject({ kind: 'http', retryable: true })
  })
})

describe('an answer that makes no sense', () => {
  test.each([
    ['is not JSON', '<!doctype html><title>Welcome</title>', 'Welcome'],
    ['is empty', '', 'nothing'],
    ['is JSON but no object', '[1]', '[1]'],
    ['is malformed', '{"choices": oops}', 'oops'],
    ['has no choices', '{"id":"x"}', '{"id":"x"}'],
    ['has an empty list of choices', '{"choices":[]}', 'no choices'],
    ['has choices that are none', '{"choices":["a"]}', 'no choices'],
    ['has a choice without a message', '{"choices":[{"text":"a"}]}', '{"text":"a"}'],
    ['has a tool call without a name', '{"choices":[{"message":{"tool_calls":[{"id":"a"}]}}]}', '{"id":"a"}'],
  ])('because it %s', async (_fault, body, shown) => {
    const failure = await failureOf({ body })
    expect(failure).toMatchObject({ kind: 'bad_response', retryable: false })
    expect(failure.message).toContain(shown)
  })

  test('because an event is not JSON, or there was nothing before [DONE]', async () => {
    const failure = await failureOf({ events: ['{"oops'] })
    expect(failure).toMatchObject({ kind: 'bad_response', retryable: false })
    expect(failure.message).toContain('{"oops')
    expect(await failureOf({ events: ['[DONE]'] })).toMatchObject({ kind: 'bad_response' })
  })

  test('shows its start only', async () => {
    const { message } = await failureOf({ body: 'x'.repeat(1024 * 1024) })
    expect(message.length).toBeLessThan(600)
  })

  test('because it is not HTTP', async () => {
    const failure = await failureAt(await rawServer('SSH-2.0-OpenSSH_9.2\r\n'))
    expect(failure).toMatchObject({ kind: 'bad_response', retryable: false })
    expect(failure.message).toContain('does not speak HTTP')
  })

  test.each(['application/json', 'text/event-stream'])(
    'because it has more than 64 MB of %s',
    async (type) => {
      const piece = `data: {"choices":[],"padding":"${'x'.repeat(1024 * 1024)}"}\n\n`
      const server = createHttpServer((_request, response) => {
        response.writeHead(200, { 'content-type': type })
        const write = () => {
          while (!response.destroyed && response.write(piece));
        }
        response.on('drain', write)
        write()
      })
      const failure = await failureAt(await listen(server))
      expect(failure).toMatchObject({ kind: 'bad_response', retryable: false })
      expect(failure.message).toContain('64 MB')
    },
  )
})

describe('giving up', () => {
  const reason = new Error('timeout after 5m')

  test('before the answer rejects with the reason and closes the connection', async () => {
    const server = await start({ hang: true })
    const controller = new AbortController()
    const model = createOpenAIModel({ baseURL: server.url, model: 'm' })
    const call = model.generate(question, createPlainScope({ signal: controller.signal }))
    await until(() => server.requests.length > 0)
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    expect(await server.requests[0]?.ended).toBe('abandoned')
  })

  test('in the middle of the answer rejects with the reason and closes the connection', async () => {
    let closed: Promise<void> | undefined
    const server = createHttpServer((_request, response) => {
      closed = new Promise((resolve) => response.once('close', resolve))
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"choices":[{"delta":{"content":"a"}}]}\n\n', () => controller.abort(reason))
    })
    const controller = new AbortController()
    const model = createOpenAIModel({ baseURL: await listen(server), model: 'm' })
    const call = model.generate(question, createPlainScope({ signal: controller.signal }))
    await expect(call).rejects.toBe(reason)
    await closed
  })

  test('beforehand sends nothing', async () => {
    const server = await start('a')
    const model = createOpenAIModel({ baseURL: server.url, model: 'm' })
    const call = model.generate(question, createPlainScope({ signal: AbortSignal.abort(reason) }))
    await expect(call).rejects.toBe(reason)
    expect(server.connections).toBe(0)
  })

  test('while waiting for a free connection rejects at once and sends nothing', async () => {
    const server = await start({ hang: true })
    const model = createOpenAIModel({ baseURL: server.url, model: 'm', connections: 1 })
    const first = new AbortController()
    const second = new AbortController()
    const running = model.generate(question, createPlainScope({ signal: first.signal }))
    await until(() => server.requests.length > 0)
    const waiting = model.generate(question, createPlainScope({ signal: second.signal }))
    second.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    first.abort(reason)
    await expect(running).rejects.toBe(reason)
    expect(await server.requests[0]?.ended).toBe('abandoned')
    expect(server.requests).toHaveLength(1)
  })
})

describe('a connection that cannot be right', () => {
  test.each(['', 'api.openai.com/v1', 'ftp://ann:secret@host/v1', 'http://'])(
    'has the base URL %j',
    (baseURL) => {
      const create = () => createOpenAIModel({ baseURL, model: 'm' })
      expect(create).toThrow(ConfigError)
      expect(create).toThrow('base URL')
      expect(create).not.toThrow('secret')
    },
  )

  test('has a key that is no header, which is not shown', async () => {
    const server = await start('a')
    const model = createOpenAIModel({ baseURL: server.url, model: 'm', apiKey: 'sk-secret\n' })
    const failure = await model.generate(question, createPlainScope()).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ConfigError)
    expect(String(failure)).toContain('authorization')
    expect(String(failure)).not.toContain('sk-secret')
  })

  test('has no connections', async () => {
    const model = createOpenAIModel({ baseURL: 'http://127.0.0.1:9/v1', model: 'm', connections: -1 })
    await expect(model.generate(question, createPlainScope())).rejects.toThrow(ConfigError)
  })
})

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
