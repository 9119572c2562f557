import { describe, expect, it } from 'vitest'
import { AgentError, InfrastructureError } from '../../../errors.ts'
import { bodyFor, expectWholeAnswers, playedTurn, readAnswerIn, readJsonAnswer } from './answers.fixture.ts'

const thread = 'http://agent.example/threads/{{sessionId}}/runs/stream'
const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
const human = { type: 'human', id: 'u1', content: 'Oslo?' }
const asked = {
  type: 'ai',
  id: 'a1',
  content: [{ type: 'text', text: 'Let me look.' }],
  tool_calls: [{ type: 'tool_call', id: 'c1', name: 'weather', args: { city: 'Oslo' } }],
  usage_metadata: {
    input_tokens: 3,
    output_tokens: 4,
    total_tokens: 7,
    input_token_details: { cache_read: 2 },
  },
}
const result = {
  type: 'tool',
  id: 't1',
  tool_call_id: 'c1',
  name: 'weather',
  content: '{"rain": true}',
  status: 'success',
}
const answer = {
  type: 'ai',
  id: 'a2',
  content: 'It rains ☂.',
  tool_calls: [],
  response_metadata: { finish_reason: 'stop' },
  usage_metadata: { input_tokens: 5, output_tokens: 1, total_tokens: 6 },
}
const metadata = event('metadata', { run_id: 'r1', attempt: 1 })
const values = [
  metadata,
  event('values', { messages: [human] }),
  event('values', { messages: [human, asked] }),
  event('values', { messages: [human, asked, result] }),
  event('values', { messages: [human, asked, result, answer] }),
]
const call = { id: 'c1', name: 'weather', arguments: { city: 'Oslo' }, result: { rain: true } }
const expected = {
  content: 'Let me look.\n\nIt rains ☂.',
  toolCalls: [call],
  messages: [
    { role: 'assistant', content: 'Let me look.', toolCalls: [call] },
    { role: 'tool', toolCallId: 'c1', content: '{"rain": true}' },
    { role: 'assistant', content: 'It rains ☂.' },
  ],
}
const read = (...pieces: string[]) => readAnswerIn('langgraph', pieces)

describe('the format langgraph', () => {
  it('reads the mode `values`, however the stream is split', () => {
    const reply = expectWholeAnswers('langgraph', [...values, event('end', null)].join(''))
    expect(reply).toMatchObject({
      ...expected,
      finishReason: 'stop',
      usage: { inputTokens: 8, outputTokens: 5, cachedTokens: 2 },
    })
  })

  it('reads the mode `updates`', () => {
    const updates = [
      event('updates', { model: { messages: [asked] } }),
      event('updates', { tools: { messages: [result] }, other: null }),
      event('updates', { model: { messages: answer } }),
    ]
    expect(read(metadata, ...updates)).toMatchObject(expected)
  })

  it('reads the mode `messages-tuple`, in which a model writes its tokens one by one', () => {
    const chunk = (id: string, fields: object) =>
      event('messages', [{ type: 'AIMessageChunk', id, content: '', ...fields }, { langgraph_node: 'model' }])
    const piece = (fields: object) => ({ tool_call_chunks: [{ index: 0, id: null, name: null, ...fields }] })
    const pieces = [
      chunk('a1', { content: 'Let me ' }),
      chunk('a1', { content: 'look.' }),
      chunk('a1', { tool_call_chunks: [{ index: 0, id: 'c1', name: 'weather', args: '' }] }),
      chunk('a1', piece({ args: '{"city":' })),
      chunk('a1', piece({ args: '"Oslo"}' })),
      event('messages', [result, {}]),
      chunk('a2', { content: 'It rains ' }),
      chunk('a2', { content: '☂.' }),
    ]
    expect(read(metadata, ...pieces)).toMatchObject(expected)
  })

  it('reads many calls in one message without holding up everything else', () => {
    const pieces = Array.from({ length: 100_000 }, (_, index) =>
      event('messages', [
        {
          type: 'AIMessageChunk',
          id: 'a1',
          tool_call_chunks: [{ index, id: `c${index}`, name: 'count', args: '{}' }],
        },
      ]),
    )
    expect(read(metadata, ...pieces).toolCalls).toHaveLength(100_000)
  })

  it('reads the mode `messages`, whose messages grow', () => {
    const partial = [
      event('messages/metadata', { a1: {} }),
      event('messages/partial', [{ ...asked, type: 'AIMessageChunk', content: 'Let' }]),
      event('messages/complete', [asked]),
      event('messages/complete', [result]),
      event('messages/partial', [{ ...answer, content: 'It' }]),
      event('messages/partial', [answer]),
    ]
    expect(read(...partial)).toMatchObject(expected)
  })

  it('reads the final state of `/runs/wait`, and its structured response as output', () => {
    const state = { messages: [human, asked, result, answer], structured_response: { rain: true } }
    expect(readJsonAnswer('langgraph', state)).toMatchObject({ ...expected, output: { rain: true } })
  })

  describe('a single state with a structured response and no message of its own', () => {
    const state = (rain: boolean) => event('values', { messages: [human], structured_response: { rain } })
    const played = (rain: boolean) => [playedTurn('Oslo?', read(state(rain)))]

    it('is a whole answer', () => {
      expect(read(metadata, state(true)).output).toEqual({ rain: true })
      expect(readAnswerIn('langgraph', [state(true)], { turns: played(true) }).output).toEqual({ rain: true })
    })

    it('is the beginning of an answer in a thread whose last run has left the response', () => {
      const inThread = (rain: boolean) =>
        readAnswerIn('langgraph', [state(true)], { address: thread, turns: played(rain) })
      expect(() => inThread(true)).toThrow('ended too early')
      expect(inThread(false).output).toEqual({ rain: true })
    })
  })

  it('only counts what follows the message that was sent', () => {
    const later = { ...human, id: 'handoff' }
    const state = { messages: [human, later, answer] }
    const body = { input: { messages: [{ id: 'u1' }] } }
    expect(readJsonAnswer('langgraph', state, body).content).toBe('It rains ☂.')
    const handedOver = { messages: [human, asked, result, later, answer] }
    expect(readJsonAnswer('langgraph', handedOver, body).toolCalls).toEqual([call])
  })

  describe('after an interrupt', () => {
    const asks = { messages: [human, asked], __interrupt__: [{ id: 'i1', value: 'Shall I?' }] }
    const turns = [playedTurn('Oslo?', readJsonAnswer('langgraph', asks))]
    const resumed = { command: { resume: 'yes' } }
    const readResumed = (...messages: object[]) => readJsonAnswer('langgraph', { messages }, resumed, turns)

    it('only counts what earlier replies do not have, and adds late results to their calls', () => {
      const reply = readResumed(human, asked, result, answer)
      expect(reply).toMatchObject({
        content: 'It rains ☂.',
        toolCalls: [],
        usage: { inputTokens: 5, outputTokens: 1 },
        messages: [
          { role: 'tool', toolCallId: 'c1', name: 'weather', content: '{"rain": true}' },
          { role: 'assistant', content: 'It rains ☂.' },
        ],
        lateResults: [call],
      })
      expect(turns[0]?.reply?.toolCalls).not.toEqual([call])
    })

    it('counts what follows a message of the user that the graph has added', () => {
      const yes = { type: 'human', id: 'h2', content: 'yes' }
      expect(readResumed(human, asked, result, yes, answer)).toMatchObject({
        content: 'It rains ☂.',
        lateResults: [call],
      })
    })

    it('has the error of a call that failed late', () => {
      const failed = { ...result, status: 'error', content: 'no network' }
      expect(readResumed(human, asked, failed, answer).lateResults).toEqual([
        { id: 'c1', name: 'weather', arguments: { city: 'Oslo' }, error: 'no network' },
      ])
    })

    it('counts an answer that has the id of an earlier one, as in a stateless run', () => {
      const body = { input: { messages: [{ id: 'u2' }] } }
      const messages = [human, { ...human, id: 'u2' }, asked, result, answer]
      expect(readJsonAnswer('langgraph', { messages }, body, turns).toolCalls).toEqual([call])
    })
  })

  it('reads a tool that failed, and a call whose arguments are not JSON', () => {
    const failed = { ...result, status: 'error', content: 'no network' }
    const invalid = {
      type: 'ai',
      id: 'a3',
      content: '',
      invalid_tool_calls: [{ id: 'c2', name: 'weather', args: '{', error: 'bad' }],
    }
    expect(readJsonAnswer('langgraph', { messages: [human, asked, failed, invalid] }).toolCalls).toEqual([
      { id: 'c1', name: 'weather', arguments: { city: 'Oslo' }, error: 'no network' },
      { id: 'c2', name: 'weather', arguments: '{', error: 'bad' },
    ])
  })

  it.each([
    [
      'values',
      [
        ...values.slice(0, 3),
        event('values', {
          messages: [human, asked],
          __interrupt__: [{ id: 'i1', value: { question: 'Pay?' } }],
        }),
      ],
    ],
    [
      'updates',
      [
        event('updates', { model: { messages: [asked] } }),
        event('updates', { __interrupt__: [{ value: { question: 'Pay?' } }] }),
      ],
    ],
  ])('awaits input at an interrupt in the mode `%s`', (_, pieces) => {
    const reply = read(...pieces)
    expect(reply).toMatchObject({ awaitingInput: true, inputHint: 'Pay?', content: 'Let me look.' })
  })

  it('says what the interrupt asks for if the graph has said nothing', () => {
    const reply = readJsonAnswer('langgraph', { __interrupt__: [{ value: 'Which one?', resumable: true }] })
    expect(reply).toMatchObject({ awaitingInput: true, content: 'Which one?' })
  })

  it('answers the interrupt of a thread with the next message, and is else sent only that message', () => {
    const interrupted = readJsonAnswer('langgraph', { messages: [human], __interrupt__: [{ value: 'Pay?' }] })
    const turns = [playedTurn('Order', interrupted)]
    expect(bodyFor('langgraph', 'yes', { turns }, thread)).toEqual({
      stream_mode: ['values'],
      if_not_exists: 'create',
      command: { resume: 'yes' },
    })
    const plain = [playedTurn('Oslo?', readJsonAnswer('langgraph', { messages: [human, answer] }))]
    const body = bodyFor('langgraph', 'And Rome?', { turns: plain }, thread)
    expect(body.input).toEqual({
      messages: [{ id: expect.any(String), type: 'human', content: 'And Rome?' }],
    })
  })

  it('is sent the whole conversation by a stateless run, with a result for every call', () => {
    const history = [
      { role: 'system' as const, content: 'Be brief.' },
      {
        role: 'assistant' as const,
        content: '',
        toolCalls: [{ id: 'c1', name: 'weather', arguments: { city: 'Oslo' } }],
      },
    ]
    expect(bodyFor('langgraph', 'Well?', { history }).input).toMatchObject({
      messages: [
        { type: 'system', content: 'Be brief.' },
        {
          type: 'ai',
          tool_calls: [{ id: 'c1', name: 'weather', args: { city: 'Oslo' }, type: 'tool_call' }],
        },
        { type: 'tool', tool_call_id: 'c1', content: 'There is no result: the conversation went on.' },
        { type: 'human', content: 'Well?' },
      ],
    })
  })

  it.each([
    [{ error: 'ValueError', message: 'boom' }, AgentError],
    [{ error: 'RateLimitError', message: 'Error code: 429', status: 429 }, InfrastructureError],
  ])('blames the right side for the error %j, streamed or not', (error, kind) => {
    expect(() => read(metadata, event('error', error))).toThrow(kind)
    expect(() => readJsonAnswer('langgraph', { __error__: error })).toThrow(kind)
  })

  it('is truncated if the end of the connection is the end of the stream and there is no end event', () => {
    const headers = { 'content-type': 'text/event-stream' }
    expect(() => readAnswerIn('langgraph', values, { headers })).toThrow(/ended too early/)
    expect(readAnswerIn('langgraph', [...values, event('end', null)], { headers })).toMatchObject(expected)
  })

  it('is truncated if it ends within the arguments of a call that a model was writing', () => {
    const begun = { index: 0, id: 'c1', name: 'pay', args: '{"amo' }
    const piece = (fields: object) =>
      event('messages', [{ type: 'AIMessageChunk', id: 'a1', tool_call_chunks: [begun], ...fields }])
    expect(() => read(metadata, piece({}))).toThrow(/ended too early/)
    expect(() => read(metadata, piece({}), event('end', null))).toThrow(/ended too early/)
    const written = [{ id: 'c1', name: 'pay', arguments: '{"amo' }]
    const stopped = { response_metadata: { finish_reason: 'tool_calls' } }
    expect(read(metadata, piece(stopped)).toolCalls).toEqual(written)
    expect(read(metadata, piece({}), event('messages', [answer])).toolCalls).toEqual(written)
  })

  it('does not fit, and names the format, if the state has no messages', () => {
    const fault = /has no list `messages` in the state of the graph.*`format: "langgraph"`/
    expect(() => readJsonAnswer('langgraph', { joke: 'ha' })).toThrow(fault)
    expect(() => read('data: {"type":"start"}\n\n')).toThrow(/has no event of this format/)
  })
})
