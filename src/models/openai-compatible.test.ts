import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import {
  type FakeAnswer,
  type FakeOpenAIServer,
  startFakeOpenAIServer,
} from '../testing/fake-openai-server.ts'
import { createPlainScope } from '../testing/plain-scope.ts'
import type { Data, Message } from '../transcript/message.ts'
import type { ModelRequest } from './model.ts'
import { createOpenAIModel, type OpenAIConnection } from './openai-compatible.ts'

const servers: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function start(answer?: (request: Data, index: number) => FakeAnswer): Promise<FakeOpenAIServer> {
  const server = await startFakeOpenAIServer(answer === undefined ? {} : { answer })
  servers.push(server)
  return server
}

function modelAt(server: { url: string }, more: Partial<OpenAIConnection> = {}) {
  return createOpenAIModel({ baseURL: server.url, model: 'gpt-test', ...more })
}

function asking(content: unknown, more: Partial<ModelRequest> = {}): ModelRequest {
  return { messages: [{ role: 'user', content }], tools: [], settings: {}, ...more }
}

const modes = [
  { mode: 'streamed', stream: true },
  { mode: 'whole', stream: false },
]

describe.each(modes)('a $mode reply', ({ stream }) => {
  test('has text, reason, usage and the completion as it came', async () => {
    const server = await start(() => ({
      text: ' Hallo  Wörld 😀\n',
      usage: { inputTokens: 7, outputTokens: 3 },
    }))
    const reply = await modelAt(server, { stream }).generate(asking('Hi'), createPlainScope())
    expect(reply).toEqual({
      output: ' Hallo  Wörld 😀\n',
      content: ' Hallo  Wörld 😀\n',
      messages: [{ role: 'assistant', content: ' Hallo  Wörld 😀\n' }],
      toolCalls: [],
      finishReason: 'stop',
      usage: { inputTokens: 7, outputTokens: 3 },
      raw: {
        id: 'chatcmpl-fake',
        object: 'chat.completion',
        created: 0,
        model: 'gpt-test',
        choices: [
          { index: 0, message: { role: 'assistant', content: ' Hallo  Wörld 😀\n' }, finish_reason: 'stop' },
        ],
        usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
      },
    })
    expect(server.requests[0]?.body.stream).toBe(stream ? true : undefined)
    expect(server.requests[0]?.body.stream_options).toEqual(stream ? { include_usage: true } : undefined)
  })

  test('has its tool calls with parsed arguments', async () => {
    const toolCalls = [
      { id: 'a', name: 'search', arguments: { query: 'Zürich', limit: 3 } },
      { id: 'b', name: 'now' },
      { id: 'c', name: 'broken', arguments: '{"half": ' },
    ]
    const server = await start(() => ({ toolCalls }))
    const reply = await modelAt(server, { stream }).generate(asking('Hi'), createPlainScope())
    const expected = [
      { id: 'a', name: 'search', arguments: { query: 'Zürich', limit: 3 } },
      { id: 'b', name: 'now', arguments: {} },
      { id: 'c', name: 'broken', arguments: '{"half": ' },
    ]
    expect(reply.toolCalls).toEqual(expected)
    expect(reply.messages).toEqual([{ role: 'assistant', content: '', toolCalls: expected }])
    expect(reply.finishReason).toBe('tool_calls')
    expect(reply.content).toBe('')
  })

  test('tells no usage where the server told none', async () => {
    const server = await start(() => ({ text: 'a', usage: null }))
    const reply = await modelAt(server, { stream }).generate(asking('Hi'), createPlainScope())
    expect('usage' in reply).toBe(false)
  })

  test('reuses one connection for calls that follow each other', async () => {
    const server = await start()
    const model = modelAt(server, { stream })
    for (let call = 0; call < 20; call++) await model.generate(asking('Hi'), createPlainScope())
    expect(server.connections).toBe(1)
    await Promise.all(Array.from({ length: 40 }, () => model.generate(asking('Hi'), createPlainScope())))
    expect(server.requests).toHaveLength(60)
    expect(server.connections).toBeLessThanOrEqual(40)
  })
})

describe('the request', () => {
  const conversation: Message[] = [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      name: 'Ann',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url: {} },
      ],
    },
    {
      role: 'assistant',
      content: '',
      toolCalls: [
        { id: 'a', name: 'search', arguments: { q: 'x' }, result: 'seen' },
        { id: 'b', name: 'raw', arguments: '{"half": ' },
      ],
    },
    { role: 'tool', toolCallId: 'a', content: { found: 1 } },
    { role: 'tool', toolCallId: 'b', content: 'no' },
    { role: 'assistant', content: 'Done.' },
  ]

  test('has the conversation in the words of the API', async () => {
    const server = await start()
    await modelAt(server).generate(asking('', { messages: conversation }), createPlainScope())
    const call = (id: string, name: string, text: string) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    })
    expect(server.requests[0]?.body.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        name: 'Ann',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: {} },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [call('a', 'search', '{"q":"x"}'), call('b', 'raw', '{"half": ')],
      },
      { role: 'tool', tool_call_id: 'a', content: '{"found":1}' },
      { role: 'tool', tool_call_id: 'b', content: 'no' },
      { role: 'assistant', content: 'Done.' },
    ])
  })

  test('has settings of the call over those of the connection, and tools only if there are some', async () => {
    const server = await start()
    const model = modelAt(server, { stream: false, settings: { temperature: 0, seed: 1 } })
    const tools = [{ type: 'function', function: { name: 'search', parameters: {} } }]
    await model.generate(asking('Hi', { settings: { temperature: 1 } }), createPlainScope())
    await model.generate(asking('Hi', { tools }), createPlainScope())
    const messages = [{ role: 'user', content: 'Hi' }]
    expect(server.requests.map(({ body }) => body)).toEqual([
      { model: 'gpt-test', messages, temperature: 1, seed: 1 },
      { model: 'gpt-test', messages, temperature: 0, seed: 1, tools },
    ])
  })

  test('carries key, headers and the query of the base URL', async () => {
    const server = await start()
    const baseURL = `${server.url}/?api-version=2`
    const model = createOpenAIModel({ baseURL, model: 'm', apiKey: 'sk-1', headers: { 'X-Team': 'red' } })
    await model.generate(asking('Hi'), createPlainScope())
    const [request] = server.requests
    expect(request?.path).toBe('/v1/chat/completions?api-version=2')
    expect(request?.headers.authorization).toBe('Bearer sk-1')
    expect(request?.headers['x-team']).toBe('red')
  })

  test('carries the credentials of the base URL, and a header of the user over both', async () => {
    const server = await start()
    const baseURL = server.url.replace('//', '//ann:p%40ss@')
    await createOpenAIModel({ baseURL, model: 'm' }).generate(asking('Hi'), createPlainScope())
    const headers = { Authorization: 'Custom 1' }
    await createOpenAIModel({ baseURL, model: 'm', apiKey: 'k', headers }).generate(
      asking('Hi'),
      createPlainScope(),
    )
    const sent = server.requests.map((request) => request.headers.authorization)
    expect(sent).toEqual([`Basic ${Buffer.from('ann:p@ss').toString('base64')}`, 'Custom 1'])
  })

  test('passes through the exchange of the scope once, with what it asks and the signal it is given', async () => {
    const server = await start()
    const exchanges: unknown[] = []
    const plain = createPlainScope()
    const scope = {
      ...plain,
      exchange: <T>(target: string, request: unknown, perform: (signal: AbortSignal) => Promise<T>) => {
        exchanges.push([target, request])
        return perform(plain.signal)
      },
    }
    const model = modelAt(server, { settings: { seed: 1 } })
    await model.generate(asking('Hi'), scope)
    expect(model.id).toBe('gpt-test')
    expect(exchanges).toEqual([['openai:gpt-test', asking('Hi', { settings: { seed: 1 } })]])
  })
})

describe('what servers do differently', () => {
  async function replyTo(answer: FakeAnswer, more: Partial<OpenAIConnection> = {}) {
    const server = await start(() => answer)
    return modelAt(server, more).generate(asking('Hi'), createPlainScope())
  }
  const delta = (fields: Data, finish: string | null = null) => ({
    choices: [{ delta: fields, finish_reason: finish }],
  })
  const calls = (...toolCalls: Data[]) => delta({ tool_calls: toolCalls })

  test('JSON for a streaming request, and a stream for a plain one', async () => {
    const message = { role: 'assistant', content: 'whole' }
    const body = { choices: [{ index: 0, message, finish_reason: 'stop' }] }
    expect((await replyTo({ body })).content).toBe('whole')
    const events = [delta({ content: 'str' }), delta({ content: 'eam' }, 'stop'), '[DONE]']
    expect((await replyTo({ events }, { stream: false })).content).toBe('stream')
    const headers = { 'content-type': 'text/plain' }
    expect((await replyTo({ events, headers })).content).toBe('stream')
  })

  test('deltas of calls that are mixed, numbered without repeating the id', async () => {
    const reply = await replyTo({
      events: [
        calls({ index: 0, id: 'a', function: { name: 'one', arguments: '' } }),
        calls({ index: 1, id: 'b', function: { name: 'two', arguments: '{"y":' } }),
        calls({ index: 0, function: { arguments: '{"x":1}' } }, { index: 1, function: { arguments: '2}' } }),
        delta({}, 'tool_calls'),
        '[DONE]',
      ],
    })
    expect(reply.toolCalls).toEqual([
      { id: 'a', name: 'one', arguments: { x: 1 } },
      { id: 'b', name: 'two', arguments: { y: 2 } },
    ])
  })

  test('deltas without numbers, with the id once or every time', async () => {
    const reply = await replyTo({
      events: [
        calls({ id: 'a', function: { name: 'one', arguments: '{"x"' } }),
        calls({ function: { arguments: ':1}' } }),
        calls({ id: 'b', function: { name: 'two', arguments: '{"y"' } }),
        calls({ id: 'b', function: { name: 'two', arguments: ':2}' } }),
        delta({}, 'tool_calls'),
      ],
    })
    expect(reply.toolCalls).toEqual([
      { id: 'a', name: 'one', arguments: { x: 1 } },
      { id: 'b', name: 'two', arguments: { y: 2 } },
    ])
  })

  test('whole calls, all numbered 0, or without ids, or with arguments as an object', async () => {
    const numbered = await replyTo({
      events: [
        calls({ index: 0, id: 'a', function: { name: 'one', arguments: '{}' } }),
        calls({ index: 0, id: 'b', function: { name: 'one', arguments: '{}' } }),
        '[DONE]',
      ],
    })
    expect(numbered.toolCalls).toEqual([
      { id: 'a', name: 'one', arguments: {} },
      { id: 'b', name: 'one', arguments: {} },
    ])
    const unnamed = await replyTo({
      events: [
        calls(
          { function: { name: 'one', arguments: { x: 1 } } },
          { function: { name: 'two', arguments: null } },
        ),
        delta({}, 'tool_calls'),
      ],
    })
    expect(unnamed.toolCalls).toEqual([
      { id: 'call_1_0', name: 'one', arguments: { x: 1 } },
      { id: 'call_1_1', name: 'two', arguments: {} },
    ])
  })

  test('a refusal in place of content, reasoning beside it, content as parts', async () => {
    const events = [
      delta({ reasoning_content: 'hm' }),
      delta({ refusal: 'I will ' }),
      delta({ refusal: 'not.' }, 'stop'),
    ]
    expect((await replyTo({ events })).content).toBe('I will not.')
    const content = [
      { type: 'thinking', text: 'hm' },
      { type: 'text', text: 'Yes' },
      { type: 'text', text: '.' },
    ]
    const body = { choices: [{ message: { content, reasoning_content: 'hm' }, finish_reason: 'stop' }] }
    expect((await replyTo({ body })).content).toBe('Yes.')
    const refused = { choices: [{ message: { content: null, refusal: 'No.' } }] }
    expect((await replyTo({ body: refused })).output).toBe('No.')
  })

  test('no [DONE] after the reason to finish, and a cut after it', async () => {
    expect((await replyTo({ events: [delta({ content: 'a' }, 'stop')] })).content).toBe('a')
    const events = [delta({ content: 'a' }), delta({}, 'stop'), ': usage would come here', '[DONE]']
    expect((await replyTo({ events, cut: 'mid-stream' })).content).toBe('a')
  })

  test('usage counted with every chunk: the last one is the whole', async () => {
    const counted = (tokens: number) => ({ ...delta({ content: 'a' }), usage: { completion_tokens: tokens } })
    const reply = await replyTo({ events: [counted(1), counted(2), delta({}, 'length'), '[DONE]'] })
    expect(reply.usage).toEqual({ outputTokens: 2 })
    expect(reply.finishReason).toBe('length')
  })

  test('several choices: the first one is the answer', async () => {
    const of = (index: number, content: string) => ({ index, delta: { content }, finish_reason: 'stop' })
    const events = [{ choices: [of(1, 'b')] }, { choices: [of(0, 'a')] }, '[DONE]']
    expect((await replyTo({ events })).content).toBe('a')
  })

  test('a stream that is left open after [DONE]', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify(delta({ content: 'a' }))}\n\ndata: [DONE]\n\n`)
    })
    const reply = await modelAt(await listen(server)).generate(asking('Hi'), createPlainScope())
    expect(reply.content).toBe('a')
  })

  test('characters split across the chunks of a body', async () => {
    const server = createServer(async (_request, response) => {
      const body = Buffer.from(
        `data: ${JSON.stringify(delta({ content: 'Zürich 😀 東京' }, 'stop'))}\r\n\r\n`,
      )
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
      for (const byte of body) await new Promise((resolve) => response.write(Buffer.from([byte]), resolve))
      response.end('data: [DONE]\n\n')
    })
    const reply = await modelAt(await listen(server)).generate(asking('Hi'), createPlainScope())
    expect(reply.content).toBe('Zürich 😀 東京')
  })
})

async function listen(server: ReturnType<typeof createServer>): Promise<{ url: string }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push({
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
}
