import { describe, expect, test } from 'vitest'
import type { Message } from '../results/transcript/message.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import { createRequest, responses } from './model-test-server.ts'

const { failureFor, modelAt, replyTo, startFake } = responses

const modes = [
  { mode: 'streamed', stream: true },
  { mode: 'whole', stream: false },
]

describe.each(modes)('a $mode reply of the Responses API', ({ stream }) => {
  test('has text, finish reason, usage with cached tokens, and the raw response', async () => {
    const usage = { inputTokens: 7, outputTokens: 3, cachedTokens: 5 }
    const reply = await replyTo({ text: ' Hallo  Wörld 😀\n', usage }, { stream })
    expect(reply).toMatchObject({
      output: ' Hallo  Wörld 😀\n',
      content: ' Hallo  Wörld 😀\n',
      messages: [{ role: 'assistant', content: ' Hallo  Wörld 😀\n' }],
      toolCalls: [],
      finishReason: 'stop',
      usage,
      raw: { id: 'resp_fake', status: 'completed', output: [{ type: 'message' }] },
    })
  })

  test('has its tool calls with parsed arguments', async () => {
    const toolCalls = [
      { id: 'a', name: 'search', arguments: { query: 'Zürich', limit: 3 } },
      { id: 'b', name: 'now' },
      { id: 'c', name: 'broken', arguments: '{"half": ' },
    ]
    const reply = await replyTo({ text: 'Let me see.', toolCalls }, { stream })
    const expected = [toolCalls[0], { id: 'b', name: 'now', arguments: {} }, toolCalls[2]]
    expect(reply).toMatchObject({ content: 'Let me see.', toolCalls: expected, finishReason: 'tool_calls' })
    expect(reply.messages).toEqual([{ role: 'assistant', content: 'Let me see.', toolCalls: expected }])
  })

  test.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content_filter'],
    ['other', 'other'],
  ])('that is incomplete because of %s has the finish reason %s', async (finishReason, expected) => {
    expect((await replyTo({ text: 'a', finishReason }, { stream })).finishReason).toBe(expected)
  })

  test('has no usage where the server sent none', async () => {
    expect('usage' in (await replyTo({ text: 'a', usage: null }, { stream }))).toBe(false)
  })

  test('without text is empty', async () => {
    expect(await replyTo({ text: '' }, { stream })).toMatchObject({ content: '', toolCalls: [] })
  })

  test('is an infrastructure error where the response has failed', async () => {
    const failed = (code: string) => {
      const response = { status: 'failed', error: { code, message: 'Sorry' }, output: [] }
      return stream ? { events: [{ type: 'response.failed', response }] } : { body: response }
    }
    const server = await failureFor(failed('server_error'), { stream })
    expect(server).toMatchObject({ kind: 'http', retryable: true })
    expect(server.message).toContain('Sorry')
    const limited = await failureFor(failed('rate_limit_exceeded'), { stream })
    expect(limited).toMatchObject({ kind: 'rate_limit', retryable: true })
    const refused = await failureFor(failed('invalid_prompt'), { stream })
    expect(refused).toMatchObject({ kind: 'http', retryable: false })
  })
})

describe('a stream of the Responses API', () => {
  test('is truncated without its last event', async () => {
    const cut = await failureFor({ text: 'a b c d e f', cut: 'mid-stream' })
    expect(cut).toMatchObject({ kind: 'truncated', retryable: true })
    const events = [
      { type: 'response.output_item.added', output_index: 0, item: { type: 'message' } },
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hello' },
    ]
    expect((await failureFor({ events })).message).toContain('ended too early, after: Hello')
  })

  test('may end in an error', async () => {
    const error = { type: 'error', code: 'server_error', message: 'Sorry', param: null }
    expect(await failureFor({ events: [error] })).toMatchObject({ kind: 'http', retryable: true })
  })
})

test.each([
  ['is not JSON', '<title>Welcome</title>', 'Welcome'],
  ['has no output', '{"id":"x"}', 'has no list `output`'],
  ['is not finished', '{"output":[],"status":"in_progress"}', 'its status is "in_progress"'],
  ['has a tool call without a name', '{"output":[{"type":"function_call"}]}', 'a tool call without a name'],
])('an answer of the Responses API that %s is refused', async (_, body, shown) => {
  const failure = await failureFor({ body })
  expect(failure).toMatchObject({ kind: 'bad_response', retryable: false })
  expect(failure.message).toContain(shown)
})

describe('a request to the Responses API', () => {
  const conversation: Message[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Hello' },
    {
      role: 'user',
      name: 'Ann',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
        { type: 'file', source: 'https://example.org/a.pdf' },
        { type: 'data', data: { a: 1 } },
      ],
    },
    {
      role: 'assistant',
      content: 'One moment.',
      toolCalls: [
        { id: 'a', name: 'search', arguments: { q: 'x' }, result: 'seen' },
        { id: 'b', name: 'raw', arguments: '{"half": ' },
      ],
    },
    { role: 'tool', toolCallId: 'a', name: 'search', content: { found: 1 } },
    { role: 'tool', toolCallId: 'b', name: 'raw', content: 'Error: no' },
    { role: 'assistant', content: 'Done.' },
  ]

  test('has the conversation as items, and stores nothing', async () => {
    const server = await startFake('ok')
    await modelAt(server.url).generate(createRequest('', { messages: conversation }), createPlainScope())
    expect(server.requests[0]?.path).toBe('/v1/responses')
    expect(server.requests[0]?.body).toEqual({
      model: 'gpt-test',
      store: false,
      stream: true,
      instructions: 'Be brief.\n\nBe kind.',
      input: [
        { role: 'user', content: 'Hello' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Look' },
            { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'low' },
            { type: 'input_file', file_url: 'https://example.org/a.pdf' },
            { type: 'input_text', text: '{"a":1}' },
          ],
        },
        { role: 'assistant', content: 'One moment.' },
        { type: 'function_call', call_id: 'a', name: 'search', arguments: '{"q":"x"}' },
        { type: 'function_call', call_id: 'b', name: 'raw', arguments: '{"half": ' },
        { type: 'function_call_output', call_id: 'a', output: '{"found":1}' },
        { type: 'function_call_output', call_id: 'b', output: 'Error: no' },
        { role: 'assistant', content: 'Done.' },
      ],
    })
  })

  test('has its settings translated, and flat tools whose schemas are not made strict', async () => {
    const server = await startFake('ok')
    const model = modelAt(server.url, { stream: false, settings: { temperature: 0, max_tokens: 10 } })
    const parameters = { type: 'object', properties: {} }
    const tools = [{ type: 'function', function: { name: 'search', description: 'Finds', parameters } }]
    const schema = { type: 'object' }
    const settings = {
      seed: 1,
      top_p: 0.5,
      reasoning_effort: 'low',
      text: { verbosity: 'low' },
      response_format: { type: 'json_schema', json_schema: { name: 'n', strict: true, schema } },
    }
    await model.generate(createRequest('Hi', { tools, settings }), createPlainScope())
    expect(server.requests[0]?.body).toEqual({
      model: 'gpt-test',
      store: false,
      input: [{ role: 'user', content: 'Hi' }],
      temperature: 0,
      max_output_tokens: 10,
      top_p: 0.5,
      reasoning: { effort: 'low' },
      include: ['reasoning.encrypted_content'],
      text: { format: { type: 'json_schema', name: 'n', strict: true, schema }, verbosity: 'low' },
      tools: [{ type: 'function', name: 'search', description: 'Finds', parameters, strict: false }],
    })
  })

  test('has the schema of the answer, unless the server refuses it', async () => {
    const server = await startFake((_, index) => (index === 0 ? { status: 400 } : 'ok'))
    const answerSchema = { type: 'object' }
    const model = modelAt(server.url)
    const { content } = await model.generate(createRequest('Hi', { answerSchema }), createPlainScope())
    expect(content).toBe('ok')
    const format = { type: 'json_schema', name: 'answer', strict: true, schema: answerSchema }
    expect(server.requests.map(({ body }) => body.text)).toEqual([{ format }, undefined])
  })

  test('returns a model its own thoughts, if they are in the answer', async () => {
    const thought = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'abc' }
    const stored = { id: 'rs_2', type: 'reasoning', summary: [] }
    const call = { type: 'function_call', call_id: 'a', name: 'x', arguments: '{}' }
    const server = await startFake({ body: { status: 'completed', output: [stored, thought, call] } })
    const model = modelAt(server.url)
    const { messages } = await model.generate(createRequest('Hi'), createPlainScope())
    const answered: Message[] = [...messages, { role: 'tool', toolCallId: 'a', content: 'y' }]
    await model.generate(createRequest('', { messages: answered }), createPlainScope())
    const output = { type: 'function_call_output', call_id: 'a', output: 'y' }
    expect(server.requests[1]?.body.input).toEqual([thought, call, output])
  })

  test('leaves the calls of hosted tools to the provider, and reports them', async () => {
    const output = [
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search' } },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Found ' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'it.' }] },
    ]
    const reply = await replyTo({ body: { status: 'completed', output } })
    expect(reply).toMatchObject({ content: 'Found it.', toolCalls: [], finishReason: 'stop' })
    expect(reply.providerCalls).toEqual([{ id: 'ws_1', name: 'web_search', arguments: { type: 'search' } }])
    expect(reply.messages).toEqual([{ role: 'assistant', content: 'Found it.' }])
  })

  test('has the key', async () => {
    const server = await startFake('ok')
    await modelAt(server.url, { apiKey: 'sk-1' }).generate(createRequest('Hi'), createPlainScope())
    expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-1')
  })
})
