import { describe, expect, test } from 'vitest'
import type { Message } from '../results/transcript/message.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import { anthropic, createRequest } from './model-test-server.ts'

const { failureFor, modelAt, replyTo, startFake } = anthropic

const modes = [
  { mode: 'streamed', stream: true },
  { mode: 'whole', stream: false },
]

describe.each(modes)('a $mode reply', ({ stream }) => {
  test('has text, finish reason, usage and the raw message', async () => {
    const answer = { text: ' Hallo  Wörld 😀\n', usage: { inputTokens: 7, outputTokens: 3 } }
    expect(await replyTo(answer, { stream })).toEqual({
      output: ' Hallo  Wörld 😀\n',
      content: ' Hallo  Wörld 😀\n',
      messages: [{ role: 'assistant', content: ' Hallo  Wörld 😀\n' }],
      toolCalls: [],
      finishReason: 'stop',
      usage: { inputTokens: 7, outputTokens: 3 },
      raw: {
        id: 'msg_fake',
        type: 'message',
        role: 'assistant',
        model: 'gpt-test',
        content: [{ type: 'text', text: ' Hallo  Wörld 😀\n' }],
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 7, output_tokens: 3 },
      },
    })
  })

  test('has its tool calls with their arguments', async () => {
    const toolCalls = [
      { id: 'a', name: 'search', arguments: { query: 'Zürich', limit: 3 } },
      { id: 'b', name: 'now' },
    ]
    const reply = await replyTo({ text: 'Let me see.', toolCalls }, { stream })
    const expected = [toolCalls[0], { id: 'b', name: 'now', arguments: {} }]
    expect(reply).toMatchObject({ content: 'Let me see.', toolCalls: expected, finishReason: 'tool_calls' })
    expect(reply.messages).toEqual([{ role: 'assistant', content: 'Let me see.', toolCalls: expected }])
  })

  test.each([
    ['max_tokens', 'length'],
    ['stop_sequence', 'stop'],
    ['refusal', 'content_filter'],
    ['pause_turn', 'pause_turn'],
  ])('that ended with %s has the finish reason %s', async (finishReason, expected) => {
    expect((await replyTo({ text: 'a', finishReason }, { stream })).finishReason).toBe(expected)
  })

  test('has no usage where the server sent none', async () => {
    expect('usage' in (await replyTo({ text: 'a', usage: null }, { stream }))).toBe(false)
  })

  test('without text is empty', async () => {
    expect(await replyTo({ text: '' }, { stream })).toMatchObject({ content: '', toolCalls: [] })
  })
})

describe('a stream', () => {
  const start = {
    type: 'message_start',
    message: { usage: { input_tokens: 5, cache_read_input_tokens: 20 } },
  }
  const block = (index: number, fields: object) => ({
    type: 'content_block_start',
    index,
    content_block: fields,
  })
  const delta = (index: number, fields: object) => ({ type: 'content_block_delta', index, delta: fields })
  const end = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } }

  test('may contain thoughts before the text, and counts cached tokens', async () => {
    const reply = await replyTo({
      events: [
        start,
        block(0, { type: 'thinking', thinking: '' }),
        delta(0, { type: 'thinking_delta', thinking: 'hm' }),
        delta(0, { type: 'signature_delta', signature: 'abc' }),
        block(1, { type: 'text', text: '' }),
        delta(1, { type: 'text_delta', text: 'Yes.' }),
        delta(1, { type: 'citations_delta', citation: {} }),
        end,
        { type: 'message_stop' },
      ],
    })
    expect(reply).toMatchObject({ content: 'Yes.', usage: { inputTokens: 25, outputTokens: 4 } })
    expect(reply.raw).toMatchObject({ content: [{ thinking: 'hm', signature: 'abc' }, { text: 'Yes.' }] })
  })

  test('may have arguments that are not JSON', async () => {
    const begun = block(0, { type: 'tool_use', id: 'a', name: 'x', input: {} })
    const half = delta(0, { type: 'input_json_delta', partial_json: '{"a":' })
    const { toolCalls } = await replyTo({ events: [start, begun, half, end] })
    expect(toolCalls).toEqual([{ id: 'a', name: 'x', arguments: '{"a":' }])
  })

  test('leaves the calls of tools that the server runs to it, and reports them', async () => {
    const searches = block(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} })
    const query = delta(0, { type: 'input_json_delta', partial_json: '{"query":"viva"}' })
    const found = block(1, { type: 'web_search_tool_result', tool_use_id: 's', content: [] })
    const own = block(2, { type: 'tool_use', id: 'a', name: 'x', input: {} })
    const reply = await replyTo({ events: [start, searches, query, found, own, end] })
    expect(reply.providerCalls).toEqual([{ id: 's', name: 'web_search', arguments: { query: 'viva' } }])
    expect(reply.toolCalls).toEqual([{ id: 'a', name: 'x', arguments: {} }])
    expect(reply.messages[0]?.toolCalls).toEqual(reply.toolCalls)
  })

  test('is complete when only its last event is missing, and truncated otherwise', async () => {
    const text = [block(0, { type: 'text', text: '' }), delta(0, { type: 'text_delta', text: 'Hello' })]
    expect((await replyTo({ events: [start, ...text, end] })).content).toBe('Hello')
    const failure = await failureFor({ events: [start, ...text] })
    expect(failure).toMatchObject({ kind: 'truncated', retryable: true })
    expect(failure.message).toContain('ended too early, after: Hello')
    expect(await failureFor({ text: 'a b c d e f', cut: 'mid-stream' })).toMatchObject({ kind: 'truncated' })
    expect(await failureFor({ text: 'a', cut: 'reset' })).toMatchObject({
      kind: 'connection',
      retryable: true,
    })
  })

  test.each([
    ['overloaded_error', 'http', true],
    ['api_error', 'http', true],
    ['timeout_error', 'http', true],
    ['rate_limit_error', 'rate_limit', true],
    ['invalid_request_error', 'http', false],
    ['billing_error', 'quota', false],
  ])('may end in an error: %s is %s, retryable: %s', async (type, kind, retryable) => {
    const failure = await failureFor({
      events: [start, { type: 'error', error: { type, message: 'Sorry' } }],
    })
    expect(failure).toMatchObject({ kind, retryable })
    expect(failure.message).toContain('Sorry')
  })
})

describe('a bad answer', () => {
  test.each([
    ['is not JSON', '<title>Welcome</title>', 'Welcome'],
    ['has no content', '{"id":"x"}', 'has no content'],
    ['has a tool call without a name', '{"content":[{"type":"tool_use"}]}', 'a tool call without a name'],
  ])('is refused because it %s', async (_, body, shown) => {
    const failure = await failureFor({ body })
    expect(failure).toMatchObject({ kind: 'bad_response', retryable: false })
    expect(failure.message).toContain(shown)
  })

  test('may still be a stream with another content type', async () => {
    const headers = { 'content-type': 'text/plain' }
    expect((await replyTo({ text: 'fine', headers })).content).toBe('fine')
  })
})

describe('the request', () => {
  const conversation: Message[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Hello' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
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
    { role: 'tool', toolCallId: 'a', name: 'search', content: '{"found":1}' },
    { role: 'tool', toolCallId: 'b', name: 'raw', content: 'Error: no' },
    { role: 'user', content: 'And?' },
    { role: 'assistant', content: '' },
    { role: 'user', content: 'Well?' },
    { role: 'assistant', content: 'Done.' },
  ]

  test('has the conversation in the form of the API', async () => {
    const server = await startFake('ok')
    await modelAt(server.url).generate(createRequest('', { messages: conversation }), createPlainScope())
    expect(server.requests[0]?.body).toEqual({
      model: 'gpt-test',
      max_tokens: 4096,
      stream: true,
      system: 'Be brief.\n\nBe kind.',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hello' },
            { type: 'text', text: 'Look' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'a', name: 'search', input: { q: 'x' } },
            { type: 'tool_use', id: 'b', name: 'raw', input: { arguments: '{"half": ' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: '{"found":1}' }] },
            { type: 'tool_result', tool_use_id: 'b', content: [{ type: 'text', text: 'Error: no' }] },
            { type: 'text', text: 'And?' },
            { type: 'text', text: 'Well?' },
          ],
        },
        { role: 'assistant', content: 'Done.' },
      ],
    })
  })

  test('returns a model its own thoughts', async () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 'abc' }
    const calls = { type: 'tool_use', id: 'a', name: 'x', input: {} }
    const server = await startFake({ body: { content: [thinking, calls], stop_reason: 'tool_use' } })
    const model = modelAt(server.url, { settings: { thinking: { type: 'enabled', budget_tokens: 1024 } } })
    const { messages } = await model.generate(createRequest('Hi'), createPlainScope())
    expect(messages).toEqual([
      { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'x', arguments: {} }] },
    ])
    const answered: Message[] = [...messages, { role: 'tool', toolCallId: 'a', content: 'y' }]
    await model.generate(createRequest('', { messages: answered }), createPlainScope())
    expect(server.requests[1]?.body.messages).toMatchObject([
      { content: [thinking, calls] },
      { role: 'user' },
    ])
  })

  test('has the settings and tools that the API knows', async () => {
    const server = await startFake('ok')
    const model = modelAt(server.url, {
      stream: false,
      settings: { temperature: 0, seed: 1, max_tokens: 10 },
    })
    const parameters = { type: 'object', properties: {} }
    const tools = [{ type: 'function', function: { name: 'search', description: 'Finds', parameters } }]
    const settings = { stop: 'END', response_format: { type: 'json_object' } }
    await model.generate(createRequest('Hi', { tools, settings }), createPlainScope())
    expect(server.requests[0]?.body).toEqual({
      model: 'gpt-test',
      messages: [{ role: 'user', content: 'Hi' }],
      temperature: 0,
      max_tokens: 10,
      stop_sequences: ['END'],
      tools: [{ name: 'search', description: 'Finds', input_schema: parameters }],
    })
  })

  test('has the key and the API version, and headers of the user override both', async () => {
    const server = await startFake('ok')
    const connection = { apiKey: 'sk-ant', headers: { 'Anthropic-Version': '2030-01-01', 'X-Team': 'red' } }
    await modelAt(server.url, { apiKey: 'sk-ant' }).generate(createRequest('Hi'), createPlainScope())
    await modelAt(server.url, connection).generate(createRequest('Hi'), createPlainScope())
    const sent = server.requests.map(({ headers }) => headers)
    expect(sent[0]).toMatchObject({ 'x-api-key': 'sk-ant', 'anthropic-version': '2023-06-01' })
    expect(sent[1]).toMatchObject({ 'anthropic-version': '2030-01-01', 'x-team': 'red' })
    expect(server.requests[0]?.path).toBe('/v1/messages')
  })
})
