import { describe, expect, test } from 'vitest'
import type { Message } from '../results/transcript/message.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import type { Exchange } from '../scope/scope.ts'
import { createRequest, openAI } from './model-test-server.ts'
import { createOpenAIModel } from './openai-compatible.ts'

const { modelAt, startFake } = openAI

const modes = [
  { mode: 'streamed', stream: true },
  { mode: 'whole', stream: false },
]

describe.each(modes)('a $mode reply', ({ stream }) => {
  test('has text, finish reason, usage and the raw completion', async () => {
    const server = await startFake(() => ({
      text: ' Hallo  Wörld 😀\n',
      usage: { inputTokens: 7, outputTokens: 3 },
    }))
    const reply = await modelAt(server.url, { stream }).generate(createRequest('Hi'), createPlainScope())
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
    const server = await startFake(() => ({ toolCalls }))
    const reply = await modelAt(server.url, { stream }).generate(createRequest('Hi'), createPlainScope())
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

  test('has no usage where the server sent none', async () => {
    const server = await startFake(() => ({ text: 'a', usage: null }))
    const reply = await modelAt(server.url, { stream }).generate(createRequest('Hi'), createPlainScope())
    expect('usage' in reply).toBe(false)
  })

  test('reuses one connection for consecutive calls', async () => {
    const server = await startFake()
    const model = modelAt(server.url, { stream })
    for (let call = 0; call < 20; call++) await model.generate(createRequest('Hi'), createPlainScope())
    expect(server.connections).toBe(1)
    await Promise.all(
      Array.from({ length: 40 }, () => model.generate(createRequest('Hi'), createPlainScope())),
    )
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

  test('has the conversation in the form of the API', async () => {
    const server = await startFake()
    await modelAt(server.url).generate(createRequest('', { messages: conversation }), createPlainScope())
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

  test('has settings of the call over those of the connection, and tools only if there are any', async () => {
    const server = await startFake()
    const model = modelAt(server.url, { stream: false, settings: { temperature: 0, seed: 1 } })
    const tools = [{ type: 'function', function: { name: 'search', parameters: {} } }]
    await model.generate(createRequest('Hi', { settings: { temperature: 1 } }), createPlainScope())
    await model.generate(createRequest('Hi', { tools }), createPlainScope())
    const messages = [{ role: 'user', content: 'Hi' }]
    expect(server.requests.map(({ body }) => body)).toEqual([
      { model: 'gpt-test', messages, temperature: 1, seed: 1 },
      { model: 'gpt-test', messages, temperature: 0, seed: 1, tools },
    ])
  })

  test('has the key, the headers and the query of the base URL', async () => {
    const server = await startFake()
    const baseURL = `${server.url}/?api-version=2`
    const model = createOpenAIModel({ baseURL, model: 'm', apiKey: 'sk-1', headers: { 'X-Team': 'red' } })
    await model.generate(createRequest('Hi'), createPlainScope())
    const [request] = server.requests
    expect(request?.path).toBe('/v1/chat/completions?api-version=2')
    expect(request?.headers.authorization).toBe('Bearer sk-1')
    expect(request?.headers['x-team']).toBe('red')
  })

  test('has the credentials of the base URL, and a header of the user overrides both', async () => {
    const server = await startFake()
    const baseURL = server.url.replace('//', '//ann:p%40ss@')
    await createOpenAIModel({ baseURL, model: 'm' }).generate(createRequest('Hi'), createPlainScope())
    const headers = { Authorization: 'Custom 1' }
    await createOpenAIModel({ baseURL, model: 'm', apiKey: 'k', headers }).generate(
      createRequest('Hi'),
      createPlainScope(),
    )
    const sent = server.requests.map((request) => request.headers.authorization)
    expect(sent).toEqual([`Basic ${Buffer.from('ann:p@ss').toString('base64')}`, 'Custom 1'])
  })

  test('goes through the exchange of the scope once, with the request and the given signal', async () => {
    const server = await startFake()
    const exchanges: unknown[] = []
    const plain = createPlainScope()
    const scope = {
      ...plain,
      exchange: <T>({ target, request, perform }: Exchange<T>) => {
        exchanges.push([target, request])
        return perform(plain.stop, plain)
      },
    }
    const model = modelAt(server.url, { settings: { seed: 1 } })
    await model.generate(createRequest('Hi'), scope)
    expect(model.id).toBe('gpt-test')
    expect(exchanges).toEqual([['openai:gpt-test', createRequest('Hi', { settings: { seed: 1 } })]])
  })
})
