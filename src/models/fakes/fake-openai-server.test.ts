import { afterEach, describe, expect, test } from 'vitest'
import type { Data } from '../../results/transcript/message.ts'
import { type FakeAnswer, type FakeOpenAIServer, startFakeOpenAIServer } from './fake-openai-server.ts'

const servers: FakeOpenAIServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function start(answer?: (request: Data, index: number) => FakeAnswer | Promise<FakeAnswer>) {
  const server = await startFakeOpenAIServer(answer === undefined ? {} : { answer })
  servers.push(server)
  return server
}

function ask(server: FakeOpenAIServer, more: Data = {}, init: RequestInit = {}): Promise<Response> {
  const messages = [{ role: 'user', content: 'Hello there, you' }]
  const body = JSON.stringify({ model: 'm', messages, ...more })
  return fetch(`${server.url}/chat/completions`, { method: 'POST', body, ...init })
}

describe('the fake OpenAI server', () => {
  test('echoes the last user message by default, with words counted as tokens', async () => {
    const response = await ask(await start())
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual({
      id: 'chatcmpl-fake',
      object: 'chat.completion',
      created: 0,
      model: 'm',
      choices: [
        { index: 0, message: { role: 'assistant', content: 'Hello there, you' }, finish_reason: 'stop' },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 3, total_tokens: 6 },
    })
  })

  test('streams on request, with usage when that is requested', async () => {
    const server = await start()
    const events = (await (await ask(server, { stream: true })).text()).split('\n\n')
    const chunks = events.slice(0, -2).map((event) => JSON.parse(event.replace('data: ', '')))
    const texts = chunks.map((chunk) => chunk.choices[0].delta.content)
    expect(texts).toEqual(['', 'Hello ', 'there, ', 'you', undefined])
    expect(events.slice(-2)).toEqual(['data: [DONE]', ''])
    const counted = await ask(server, { stream: true, stream_options: { include_usage: true } })
    expect(await counted.text()).toContain('"usage":{"prompt_tokens":3')
  })

  test('answers each request by its index and records the requests', async () => {
    const server = await start((request, index) => `${index}: ${String(request.model)}`)
    const first = await (await ask(server)).text()
    const second = await (await ask(server, { model: 'n' }, { headers: { 'x-team': 'red' } })).text()
    expect(first).toContain('"0: m"')
    expect(second).toContain('"1: n"')
    expect(server.requests).toMatchObject([
      { path: '/v1/chat/completions', body: { model: 'm' }, connection: 1 },
      { body: { model: 'n' }, headers: { 'x-team': 'red' } },
    ])
    expect(await server.requests[0]?.ended).toBe('answered')
  })

  test('answers with a status, headers and an error', async () => {
    const server = await start(() => ({
      status: 429,
      headers: { 'Retry-After': '1' },
      error: { code: 'slow' },
    }))
    const response = await ask(server)
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await response.json()).toEqual({
      error: { message: 'the fake answers 429', type: 'fake_error', code: 'slow' },
    })
  })

  test.each(['before-body', 'mid-stream', 'reset'] as const)('cuts its answer: %s', async (cut) => {
    const server = await start(() => ({ text: 'a b c d', cut }))
    const whole = async () => (await ask(server, { stream: true })).text()
    await expect(whole()).rejects.toThrow()
    expect(await server.requests[0]?.ended).toBe('cut')
  })

  test('hangs until the client leaves', async () => {
    const server = await start(() => ({ hang: true }))
    const controller = new AbortController()
    const call = ask(server, {}, { signal: controller.signal })
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
    controller.abort()
    await expect(call).rejects.toThrow()
    expect(await server.requests[0]?.ended).toBe('abandoned')
  })

  test('can be closed while requests hang or wait', async () => {
    const server = await startFakeOpenAIServer({
      answer: (_request, index) => (index === 0 ? { hang: true } : { delayMs: 3_600_000 }),
    })
    const calls = [ask(server), ask(server)].map((call) => call.catch(() => 'failed'))
    while (server.requests.length < 2) await new Promise((resolve) => setImmediate(resolve))
    await server.close()
    expect(await Promise.all(calls)).toEqual(['failed', 'failed'])
    expect(await Promise.all(server.requests.map(({ ended }) => ended))).toEqual(['cut', 'cut'])
  })

  test('answers 500 with the message of an answer function that throws', async () => {
    const server = await start(() => {
      throw new Error('no such case')
    })
    const response = await ask(server)
    expect(response.status).toBe(500)
    expect(await response.text()).toContain('no such case')
  })

  test('answers 404 for other paths and 400 for a body that is not JSON, and records neither', async () => {
    const server = await start()
    expect((await fetch(`${server.url}/models`)).status).toBe(404)
    expect((await ask(server, {}, { body: 'hello' })).status).toBe(400)
    expect(server.requests).toEqual([])
  })
})
