import { createServer as createHttpServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { ConfigError } from '../errors.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import { startFakeOpenAIServer } from './fakes/fake-openai-server.ts'
import { createRequest, escapePattern, listen, listenRaw, openAI } from './model-test-server.ts'
import { createNetwork } from './network/network.ts'
import { createOpenAIModel } from './openai-compatible.ts'

const { failureAt, failureFor, modelAt, startFake } = openAI

describe('no answer', () => {
  const connection = { kind: 'connection', retryable: true }

  test('from a port where nobody listens', async () => {
    const server = await startFakeOpenAIServer()
    await server.close()
    for (const host of ['127.0.0.1', 'localhost']) {
      const failure = await failureAt(server.url.replace('127.0.0.1', host))
      expect(failure).toMatchObject(connection)
      expect(failure.message).toMatch(new RegExp(`${escapePattern(host)}:\\d+ \\(ECONNREFUSED(: .+)?\\)$`))
    }
  })

  test('from a host that does not exist', async () => {
    // The local resolver itself refuses a label of more than 63 letters.
    const failure = await failureAt(`http://${'x'.repeat(64)}.invalid/v1`)
    expect(failure).toMatchObject(connection)
    expect(failure.message).toMatch(/\.invalid:80 .*(ENOTFOUND|EAI_)/)
  })

  test('from a server that resets the connection', async () => {
    const failure = await failureFor({ cut: 'reset' })
    expect(failure).toMatchObject(connection)
    expect(failure.message).toContain('ECONNRESET')
  })

  test('from a server that closes the connection', async () => {
    const failure = await failureAt(await listenRaw(''))
    expect(failure).toMatchObject(connection)
    expect(failure.message).toMatch(/127\.0\.0\.1:\d+ .*other side closed/)
  })

  test('over TLS from a server without TLS', async () => {
    const server = await startFake('a')
    const failure = await failureAt(server.url.replace('http:', 'https:'))
    expect(failure).toMatchObject(connection)
    expect(failure.message).toMatch(/127\.0\.0\.1:\d+ .*SSL/)
  })
})

describe('an incomplete answer', () => {
  const truncated = { kind: 'truncated', retryable: true }

  test.each([true, false])('was cut after its headers or in its body (streamed: %s)', async (stream) => {
    expect(await failureFor({ text: 'one two three', cut: 'before-body' }, { stream })).toMatchObject(
      truncated,
    )
    expect(await failureFor({ text: 'one two three', cut: 'mid-stream' }, { stream })).toMatchObject(
      truncated,
    )
  })

  test('is a stream that ends without a finish reason', async () => {
    const failure = await failureFor({ events: [{ choices: [{ delta: { content: 'I was going to' } }] }] })
    expect(failure).toMatchObject(truncated)
    expect(failure.message).toContain('I was going to')
    expect(await failureFor({ events: [] })).toMatchObject(truncated)
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
      expect(await failureAt(await listenRaw(`${head}${announced}`)), announced).toMatchObject(truncated)
    }
  })
})

describe('an unreadable answer', () => {
  test('is not HTTP', async () => {
    const failure = await failureAt(await listenRaw('SSH-2.0-OpenSSH_9.2\r\n'))
    expect(failure).toMatchObject({ kind: 'bad_response', retryable: false })
    expect(failure.message).toContain('does not speak HTTP')
  })

  test.each(['application/json', 'text/event-stream'])('has more than 64 MB of %s', async (type) => {
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
  })
})

describe('aborting', () => {
  const reason = new Error('timeout after 5m')

  test('before the answer rejects with the reason and closes the connection', async () => {
    const server = await startFake({ hang: true })
    const controller = new AbortController()
    const model = modelAt(server.url)
    const call = model.generate(createRequest('Hi'), createPlainScope({ signal: controller.signal }))
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
    const model = modelAt(await listen(server))
    const call = model.generate(createRequest('Hi'), createPlainScope({ signal: controller.signal }))
    await expect(call).rejects.toBe(reason)
    await closed
  })

  test('before the call sends nothing', async () => {
    const server = await startFake('a')
    const model = modelAt(server.url)
    const call = model.generate(createRequest('Hi'), createPlainScope({ signal: AbortSignal.abort(reason) }))
    await expect(call).rejects.toBe(reason)
    expect(server.connections).toBe(0)
  })

  test('while waiting for a free connection rejects at once and sends nothing', async () => {
    const server = await startFake({ hang: true })
    const model = modelAt(server.url, { network: createNetwork({ connections: 1 }) })
    const first = new AbortController()
    const second = new AbortController()
    const running = model.generate(createRequest('Hi'), createPlainScope({ signal: first.signal }))
    await until(() => server.requests.length > 0)
    const waiting = model.generate(createRequest('Hi'), createPlainScope({ signal: second.signal }))
    second.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    first.abort(reason)
    await expect(running).rejects.toBe(reason)
    expect(await server.requests[0]?.ended).toBe('abandoned')
    expect(server.requests).toHaveLength(1)
  })
})

describe('a wrong connection', () => {
  test.each(['', 'api.openai.com/v1', 'ftp://ann:secret@host/v1', 'http://'])(
    'has the base URL %j',
    (baseURL) => {
      const create = () => createOpenAIModel({ baseURL, model: 'm' })
      expect(create).toThrow(ConfigError)
      expect(create).toThrow('base URL')
      expect(create).not.toThrow('secret')
    },
  )

  test('has a key that is not a valid header, and the error does not show it', async () => {
    const server = await startFake('a')
    const create = () => modelAt(server.url, { apiKey: 'sk-secret\n' })
    expect(create).toThrow(ConfigError)
    expect(create).toThrow('the key of model')
    expect(create).not.toThrow('sk-secret')
  })

  test('allows no connections', async () => {
    const model = modelAt('http://127.0.0.1:9/v1', { network: createNetwork({ connections: -1 }) })
    await expect(model.generate(createRequest('Hi'), createPlainScope())).rejects.toThrow(ConfigError)
  })
})

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}
