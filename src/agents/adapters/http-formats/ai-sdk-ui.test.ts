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

const weather = [
  { type: 'start', messageId: 'msg-1' },
  { type: 'start-step' },
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: 'Let me ' },
  { type: 'text-delta', id: '1', delta: 'look ☂.' },
  { type: 'text-end', id: '1' },
  { type: 'tool-input-start', toolCallId: 'c1', toolName: 'weather' },
  { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '{"city":"Oslo"}' },
  {
    type: 'tool-input-available',
    toolCallId: 'c1',
    toolName: 'weather',
    input: { city: 'Oslo' },
    providerMetadata: { google: { thoughtSignature: 'sig' } },
  },
  { type: 'tool-output-available', toolCallId: 'c1', output: { rain: true } },
  { type: 'finish-step' },
  { type: 'start-step' },
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'hm' },
  { type: 'reasoning-end', id: 'r' },
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: 'It rains.' },
  { type: 'text-end', id: '1' },
  { type: 'source-url', sourceId: 's', url: 'https://weather.example' },
  { type: 'data-chart', id: 'd', data: { points: 3 } },
  { type: 'finish-step' },
  {
    type: 'finish',
    finishReason: 'stop',
    messageMetadata: { totalUsage: { inputTokens: 9, outputTokens: 4, cachedInputTokens: 2 } },
  },
  '[DONE]',
]
const call = { id: 'c1', name: 'weather', arguments: { city: 'Oslo' }, result: { rain: true } }

describe('the UI message stream of the AI SDK', () => {
  it('is read as text, tool calls with results, finish reason and usage, however it is split', () => {
    const reply = expectWholeAnswers('ai-sdk-ui', eventLines(...weather))
    expect(reply).toMatchObject({
      content: 'Let me look ☂.\n\nIt rains.',
      output: 'Let me look ☂.\n\nIt rains.',
      toolCalls: [call],
      finishReason: 'stop',
      usage: { inputTokens: 9, outputTokens: 4, cachedTokens: 2 },
      messages: [
        { role: 'assistant', content: 'Let me look ☂.', toolCalls: [call] },
        { role: 'tool', toolCallId: 'c1', name: 'weather', content: { rain: true } },
        { role: 'assistant', content: 'It rains.' },
      ],
    })
    expect(reply.awaitingInput).toBeUndefined()
  })

  it.each([
    [{ type: 'tool-output-error', toolCallId: 'c1', errorText: 'no network' }, { error: 'no network' }],
    [{ type: 'tool-output-denied', toolCallId: 'c1' }, { error: 'the call was denied' }],
    [
      { type: 'tool-input-error', toolCallId: 'c1', toolName: 'weather', input: '{', errorText: 'bad' },
      { error: 'bad' },
    ],
  ])('has the failed call of %j', (failure, expected) => {
    const stream = eventLines(...weather.slice(0, 9), failure, { type: 'finish' }, '[DONE]')
    const { toolCalls } = readAnswerIn('ai-sdk-ui', [stream])
    expect(toolCalls).toEqual([expect.objectContaining({ name: 'weather', ...expected })])
    expect(toolCalls).not.toEqual([expect.objectContaining({ result: expect.anything() as unknown })])
  })

  it('awaits input if a call needs approval', () => {
    const approval = { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1' }
    const stream = eventLines(...weather.slice(0, 9), approval, {
      type: 'finish',
      finishReason: 'tool-calls',
    })
    expect(readAnswerIn('ai-sdk-ui', [stream])).toMatchObject({
      awaitingInput: true,
      finishReason: 'tool_calls',
    })
  })

  it.each([
    ['of another tool', 'search'],
    ['of the same tool', 'weather'],
  ])('has every call if an id is used again for a call %s', (_, toolName) => {
    const again = { toolCallId: 'c1', toolName, input: { city: 'Rome' } }
    const stream = eventLines(
      ...weather.slice(0, 10),
      { type: 'tool-input-start', ...again },
      { type: 'tool-input-available', ...again },
      { type: 'tool-output-available', toolCallId: 'c1', output: { rain: false } },
      { type: 'finish' },
    )
    expect(readAnswerIn('ai-sdk-ui', [stream]).toolCalls).toEqual([
      call,
      { id: 'c1', name: toolName, arguments: { city: 'Rome' }, result: { rain: false } },
    ])
  })

  it('has both calls if their tools share an id before either has a result', () => {
    const search = { type: 'tool-input-available', toolCallId: 'c1', toolName: 'search', input: { q: 'a' } }
    const stream = eventLines(...weather.slice(0, 9), search, { type: 'finish' })
    expect(readAnswerIn('ai-sdk-ui', [stream]).toolCalls).toEqual([
      { id: 'c1', name: 'weather', arguments: { city: 'Oslo' } },
      { id: 'c1', name: 'search', arguments: { q: 'a' } },
    ])
    const unclear = eventLines(...weather.slice(0, 9), search, weather[9])
    expect(() => readAnswerIn('ai-sdk-ui', [unclear])).toThrow(
      'has a result for "c1", which is the id of two open calls: weather and search. It begins: {"type":"tool-output-available"',
    )
  })

  it('is truncated if another call takes the id of one whose input was still being written', () => {
    const search = { toolCallId: 'c1', toolName: 'search', input: {} }
    const begun = { type: 'tool-input-start', ...search }
    const called = { type: 'tool-input-available', ...search }
    const stream = eventLines(...weather.slice(0, 8), begun, called, { type: 'finish' }, '[DONE]')
    expect(() => readAnswerIn('ai-sdk-ui', [stream])).toThrow(
      'ended too early, within the call of the tool weather',
    )
  })

  it.each([
    [{ type: 'tool-input-available', toolName: 'forecast' }, {}],
    [{ type: 'tool-input-available', toolName: 'forecast', dynamic: true }, {}],
    [{ type: 'tool-input-error', toolName: 'forecast', errorText: 'bad' }, { error: 'bad' }],
  ])('has one call, by its last name, if its complete input has another: %j', (chunk, more) => {
    const named = { ...chunk, toolCallId: 'c1', input: { city: 'Oslo' } }
    const stream = eventLines(...weather.slice(0, 8), named, { type: 'finish' }, '[DONE]')
    expect(readAnswerIn('ai-sdk-ui', [stream]).toolCalls).toEqual([
      { id: 'c1', name: 'forecast', arguments: { city: 'Oslo' }, ...more },
    ])
  })

  it('has no call for the result of an earlier one', () => {
    const late = { type: 'tool-output-available', toolCallId: 'earlier', output: 1 }
    expect(
      readAnswerIn('ai-sdk-ui', [eventLines({ type: 'start' }, late, { type: 'finish' })]).toolCalls,
    ).toEqual([])
  })

  it('adds a late result to the call of an earlier answer', () => {
    const open = [...weather.slice(0, 9), { type: 'finish' }, '[DONE]']
    const asked = readAnswerIn('ai-sdk-ui', [eventLines(...open)])
    const stream = eventLines(...weather.slice(0, 1), weather[9], { type: 'finish' })
    const reply = readAnswerIn('ai-sdk-ui', [stream], { turns: [playedTurn('Oslo?', asked)] })
    expect(reply).toMatchObject({
      toolCalls: [],
      lateResults: [call],
      messages: [{ role: 'tool', toolCallId: 'c1', name: 'weather', content: { rain: true } }, {}],
    })
    const turns = [playedTurn('Oslo?', { ...asked, toolCalls: reply.lateResults ?? [] })]
    const { messages } = bodyFor('ai-sdk-ui', 'Thanks', { turns })
    const part = { type: 'tool-weather', state: 'output-available', output: { rain: true } }
    const said = {
      role: 'assistant',
      parts: expect.arrayContaining([expect.objectContaining(part)]) as unknown,
    }
    expect(messages).toEqual([expect.anything(), expect.objectContaining(said), expect.anything()])
  })

  it('has its data as output if it has no text', () => {
    const data = (value: unknown) => ({ type: 'data-order', id: 'o', data: value })
    const stream = eventLines({ type: 'start' }, data({ id: 1 }), data({ id: 2 }), { type: 'finish' })
    expect(readAnswerIn('ai-sdk-ui', [stream])).toMatchObject({
      output: { id: 2 },
      content: '{"id":2}',
      messages: [{ role: 'assistant', content: '{"id":2}' }],
    })
  })

  it.each([
    ['a null delta', { type: 'text-delta', id: '1', delta: null }],
    ['a delta without its text', { type: 'text-delta', id: '1' }],
    ['reasoning without its text', { type: 'reasoning-delta', id: 'r' }],
    ['an unknown event', { type: 'token', text: 'Hi' }],
  ])('is read despite %s, wherever it comes', (_, odd) => {
    const events = [...weather.slice(0, 6), weather.at(-2), '[DONE]']
    for (let at = 0; at < events.length; at++) {
      const stream = eventLines(...events.slice(0, at), odd, ...events.slice(at))
      expect(readAnswerIn('ai-sdk-ui', [stream]).content, `at ${at}`).toBe('Let me look ☂.')
    }
    const toolsOnly = eventLines(odd, ...weather.slice(6, 11), { type: 'finish' })
    expect(readAnswerIn('ai-sdk-ui', [toolsOnly]).toolCalls).toEqual([call])
  })

  it.each([
    ['metadata', { type: 'message-metadata', messageMetadata: { model: 'm' } }],
    ['a null delta', { type: 'text-delta', id: '1', delta: null }],
  ])('may have no text, but only %s besides an unknown event', (_, chunk) => {
    const stream = eventLines({ type: 'start' }, chunk, { type: 'token' }, { type: 'finish' })
    expect(readAnswerIn('ai-sdk-ui', [stream]).content).toBe('')
  })

  it('is read without holding up everything else if it is long', () => {
    const pieces = Array.from({ length: 200_000 }, (_, id) =>
      eventLines({ type: 'data-order', id: String(id), data: id }),
    )
    const finish = eventLines({ type: 'finish' })
    expect(readAnswerIn('ai-sdk-ui', [...pieces, finish]).output).toHaveLength(200_000)
  })

  it.each([
    ['a call whose input was still being written', weather.slice(0, 8)],
    ['a text without an end', weather.slice(0, 4)],
    ['a step without a finish', weather.slice(0, 10)],
  ])('is truncated if it ends in %s', (_, events) => {
    expect(() => readAnswerIn('ai-sdk-ui', [eventLines(...events)])).toThrow(InfrastructureError)
    expect(() => readAnswerIn('ai-sdk-ui', [eventLines(...events)])).toThrow('ended too early')
  })

  it('is truncated if [DONE] comes while the input of a call is still being written', () => {
    const stream = eventLines(...weather.slice(0, 8), '[DONE]')
    expect(() => readAnswerIn('ai-sdk-ui', [stream])).toThrow('ended too early')
  })

  it.each([
    [{ type: 'error', errorText: 'the database is gone' }, 'the database is gone'],
    [{ type: 'abort', reason: 'stopped' }, 'the agent aborted its answer: stopped'],
  ])('fails as the agent with %j', (event, message) => {
    expect(() => readAnswerIn('ai-sdk-ui', [eventLines({ type: 'start' }, event)])).toThrow(AgentError)
    expect(() => readAnswerIn('ai-sdk-ui', [eventLines({ type: 'start' }, event)])).toThrow(message)
  })

  it('does not fit, and names the format, if it is another protocol or JSON', () => {
    const other = () =>
      readAnswerIn('ai-sdk-ui', [eventLines({ type: 'RUN_STARTED' }, { type: 'RUN_FINISHED' })])
    expect(other).toThrow(
      /has no event of this format. It begins: \{"type":"RUN_STARTED"\}.*`format: "ai-sdk-ui"`/,
    )
    for (const type of ['constructor', '__proto__', 'toString'])
      expect(() => readAnswerIn('ai-sdk-ui', [eventLines({ type })])).toThrow(/has no event of this format/)
    expect(() => readJsonAnswer('ai-sdk-ui', { text: 'hi' })).toThrow(
      /is not an event stream.*`format: "ai-sdk-ui"`/,
    )
  })

  it('goes back as it came, with a result for a call that nobody has answered', () => {
    const open = [...weather.slice(0, 9), { type: 'finish' }, '[DONE]']
    const turns = [
      playedTurn('Oslo?', readAnswerIn('ai-sdk-ui', [eventLines(...weather)])),
      playedTurn('Again', readAnswerIn('ai-sdk-ui', [eventLines(...open)])),
    ]
    const body = bodyFor('ai-sdk-ui', 'Thanks', { turns })
    const messages = body.messages as { id: string; role: string; parts: Record<string, unknown>[] }[]
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user'])
    const [, answer, , second] = messages
    expect(answer?.id).toBe('msg-1')
    expect(answer?.parts.find(({ type }) => type === 'tool-weather')).toEqual({
      type: 'tool-weather',
      toolCallId: 'c1',
      state: 'output-available',
      input: { city: 'Oslo' },
      output: { rain: true },
      callProviderMetadata: { google: { thoughtSignature: 'sig' } },
    })
    expect(second?.parts.find(({ type }) => type === 'tool-weather')).toMatchObject({
      state: 'output-error',
      errorText: 'There is no result: the conversation went on.',
    })
  })

  it('is preceded by a written history as steps of one message', () => {
    const history = [
      { role: 'system' as const, content: 'Be brief.' },
      {
        role: 'user' as const,
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image', source: 'https://a.example/b.png' },
        ],
      },
      {
        role: 'assistant' as const,
        content: '',
        toolCalls: [{ id: 'c1', name: 'look', arguments: { at: 'b' } }],
      },
      { role: 'tool' as const, toolCallId: 'c1', content: 'a cat' },
      { role: 'assistant' as const, content: 'A cat.' },
    ]
    const { id, trigger, messages } = bodyFor('ai-sdk-ui', 'Sure?', { history })
    expect(trigger).toBe('submit-message')
    expect(messages).toEqual([
      { id: `${String(id)}-1`, role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
      {
        id: `${String(id)}-2`,
        role: 'user',
        parts: [
          { type: 'text', text: 'What is it?' },
          { type: 'file', mediaType: 'image/*', url: 'https://a.example/b.png' },
        ],
      },
      {
        id: `${String(id)}-3`,
        role: 'assistant',
        parts: [
          { type: 'step-start' },
          {
            type: 'tool-look',
            toolCallId: 'c1',
            state: 'output-available',
            input: { at: 'b' },
            output: 'a cat',
          },
          { type: 'step-start' },
          { type: 'text', text: 'A cat.' },
        ],
      },
      { id: `${String(id)}-4`, role: 'user', parts: [{ type: 'text', text: 'Sure?' }] },
    ])
  })
})
