import { describe, expect, it } from 'vitest'
import { AgentError, InfrastructureError } from '../../../errors.ts'
import {
  bodyFor,
  eventLines,
  expectWholeAnswers,
  playedTurn,
  readAnswerIn,
  readJsonAnswer,
} from './answers.fixture.ts'

const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' }
const call = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'c1',
  name: 'weather',
  arguments: '{"city":"Oslo"}',
  status: 'completed',
}
const result = {
  type: 'function_call_output',
  id: 'fo_1',
  call_id: 'c1',
  output: '{"rain":true}',
  status: 'completed',
}
const message = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'It rains ☂.', annotations: [] }],
}
const output = [reasoning, call, result, message]
const usage = { input_tokens: 9, output_tokens: 4, input_tokens_details: { cached_tokens: 2 } }
const completed = { id: 'resp_1', object: 'response', status: 'completed', error: null, output, usage }
const events = [
  { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
  { type: 'response.output_item.added', output_index: 1, item: { ...call, arguments: '' } },
  { type: 'response.function_call_arguments.delta', output_index: 1, item_id: 'fc_1', delta: '{"city":' },
  ...output.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
  { type: 'response.output_text.delta', output_index: 3, item_id: 'msg_1', delta: 'It rains ☂.' },
]
const expected = {
  content: 'It rains ☂.',
  toolCalls: [{ id: 'c1', name: 'weather', arguments: { city: 'Oslo' }, result: { rain: true } }],
  finishReason: 'stop',
  usage: { inputTokens: 9, outputTokens: 4, cachedTokens: 2 },
}

describe('the format openai-responses', () => {
  it('reads a stream, however it is split', () => {
    const stream = eventLines(...events, { type: 'response.completed', response: completed })
    expect(expectWholeAnswers('openai-responses', stream)).toMatchObject(expected)
  })

  it.each([
    ['items', events],
    ['items and deltas', [...events.slice(0, -2), ...events.slice(-1)]],
  ])('reads a stream whose final response is empty, from its %s', (_, streamed) => {
    const final = { type: 'response.completed', response: { ...completed, output: [] } }
    expect(readAnswerIn('openai-responses', [eventLines(...streamed, final)])).toMatchObject(expected)
  })

  it('reads a stream of nothing but text, whose final response is empty', () => {
    const said = ['It ', 'rains.'].map((delta) => ({ type: 'response.output_text.delta', delta }))
    const final = { type: 'response.completed', response: { ...completed, output: [] } }
    expect(readAnswerIn('openai-responses', [eventLines(...said, final)]).content).toBe('It rains.')
  })

  it('reads a response that is not streamed', () => {
    expect(readJsonAnswer('openai-responses', completed)).toMatchObject(expected)
  })

  it('uses the items of the stream if the final response has none', () => {
    const { output: _, ...without } = completed
    const stream = eventLines(...events, { type: 'response.completed', response: without })
    expect(readAnswerIn('openai-responses', [stream])).toMatchObject(expected)
  })

  it('reports a call that is left to the caller, and calls of hosted tools and MCP servers', () => {
    const search = {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: { type: 'search', query: 'Oslo' },
    }
    const mcp = {
      type: 'mcp_call',
      id: 'mcp_1',
      name: 'roll',
      arguments: '{"sides":6}',
      output: '4',
      error: null,
    }
    const broken = { ...mcp, id: 'mcp_2', output: null, error: { type: 'http_error', message: 'no dice' } }
    const reply = readJsonAnswer('openai-responses', {
      status: 'completed',
      output: [search, mcp, broken, call],
    })
    expect(reply.toolCalls).toEqual([
      { id: 'ws_1', name: 'web_search', arguments: { type: 'search', query: 'Oslo' } },
      { id: 'mcp_1', name: 'roll', arguments: { sides: 6 }, result: '4' },
      { id: 'mcp_2', name: 'roll', arguments: { sides: 6 }, error: 'no dice' },
      { id: 'c1', name: 'weather', arguments: { city: 'Oslo' } },
    ])
    expect(reply.finishReason).toBe('tool_calls')
  })

  it('awaits input if an MCP server needs approval', () => {
    const approval = {
      type: 'mcp_approval_request',
      id: 'a1',
      name: 'pay',
      arguments: '{}',
      server_label: 'bank',
    }
    expect(readJsonAnswer('openai-responses', { output: [approval] }).awaitingInput).toBe(true)
  })

  it('reads an incomplete response as an answer that was cut by its limit', () => {
    const response = {
      ...completed,
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    }
    const stream = eventLines(...events, { type: 'response.incomplete', response })
    expect(readAnswerIn('openai-responses', [stream])).toMatchObject({
      content: 'It rains ☂.',
      finishReason: 'length',
    })
  })

  it.each([
    [{ code: 'server_error', message: 'boom' }, AgentError],
    [{ code: 'rate_limit_exceeded', message: 'wait' }, InfrastructureError],
  ])('blames the right side for %j, as an event, a failed response and JSON', (error, kind) => {
    const failed = { status: 'failed', error, output: [] }
    for (const event of [
      { type: 'error', ...error },
      { type: 'response.failed', response: failed },
    ]) {
      expect(() => readAnswerIn('openai-responses', [eventLines(event)])).toThrow(kind)
    }
    expect(() => readJsonAnswer('openai-responses', failed)).toThrow(kind)
  })

  it('has the status of the event that ended it if the response has none', () => {
    const end = (type: string, response: object) =>
      readAnswerIn('openai-responses', [eventLines({ type, response })])
    expect(end('response.incomplete', { output: [message] }).finishReason).toBe('length')
    expect(() => end('response.failed', {})).toThrow(AgentError)
  })

  it('is truncated if the stream ends without a final response', () => {
    expect(() => readAnswerIn('openai-responses', [eventLines(...events)])).toThrow(
      /ended too early, after: It rains/,
    )
  })

  it.each([
    [{ text: 'hi' }, 'has no list `output`'],
    [{ status: 'queued', output: [] }, 'is not finished (its status is "queued")'],
    [{ output: [{ type: 'function_call', arguments: '{}' }] }, 'has a tool call without a name'],
  ])('does not fit, and names the format: %j', (answer, fault) => {
    expect(() => readJsonAnswer('openai-responses', answer)).toThrow(fault)
    expect(() => readJsonAnswer('openai-responses', answer)).toThrow('`format: "openai-responses"`')
  })

  it('is sent the items of earlier answers as they came, with a result for every call', () => {
    const history = [
      {
        role: 'user' as const,
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'image', source: 'data:image/png;base64,AAAA' },
        ],
      },
      {
        role: 'assistant' as const,
        content: '',
        toolCalls: [{ id: 'h1', name: 'greet', arguments: {}, result: { ok: 1 } }],
      },
      { role: 'assistant' as const, content: 'Hello' },
    ]
    const turns = [playedTurn('Oslo?', readJsonAnswer('openai-responses', { output: [reasoning, call] }))]
    expect(bodyFor('openai-responses', 'Well?', { history, turns })).toEqual({
      stream: true,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Hi' },
            { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
          ],
        },
        { type: 'function_call', call_id: 'h1', name: 'greet', arguments: '{}' },
        { type: 'function_call_output', call_id: 'h1', output: '{"ok":1}' },
        { role: 'assistant', content: 'Hello' },
        { role: 'user', content: 'Oslo?' },
        reasoning,
        call,
        {
          type: 'function_call_output',
          call_id: 'c1',
          output: 'There is no result: the conversation went on.',
        },
        { role: 'user', content: 'Well?' },
      ],
    })
  })
})
