import { describe, expect, it } from 'vitest'
import { AgentError, InfrastructureError } from '../../../errors.ts'
import type { Data } from '../../../results/transcript/message.ts'
import { bodyFor, eventLines, expectWholeAnswers, playedTurn, readAnswerIn } from './answers.fixture.ts'

const run = { threadId: 't', runId: 'r' }
const started = { type: 'RUN_STARTED', ...run }
const finished = { type: 'RUN_FINISHED', ...run }
const called = [
  { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'weather', parentMessageId: 'm1' },
  { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{"city":' },
  { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '"Oslo"}' },
  { type: 'TOOL_CALL_END', toolCallId: 'c1' },
]
const answered = { type: 'TOOL_CALL_RESULT', messageId: 't1', toolCallId: 'c1', content: '{"rain":true}' }
const said = [
  { type: 'TEXT_MESSAGE_START', messageId: 'm2', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm2', delta: 'It rains ☂.' },
  { type: 'TEXT_MESSAGE_END', messageId: 'm2' },
]
const events = [
  started,
  { type: 'STEP_STARTED', stepName: 'look' },
  { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', role: 'assistant', delta: 'Let me ' },
  { type: 'TEXT_MESSAGE_CHUNK', delta: 'look.' },
  ...called,
  answered,
  { type: 'STATE_SNAPSHOT', snapshot: { seen: ['Oslo'] } },
  { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/seen/-', value: 'Rome' }] },
  ...said,
  { type: 'CUSTOM', name: 'x', value: 1 },
]
const call = { id: 'c1', name: 'weather', arguments: { city: 'Oslo' }, result: { rain: true } }
const read = (...given: unknown[]) => readAnswerIn('ag-ui', [eventLines(...given)])

describe('the format ag-ui', () => {
  it('reads messages, tool calls with results and usage, however the stream is split', () => {
    const usage = [
      { model: 'a', inputTokens: 3, outputTokens: 4 },
      { model: 'b', inputTokens: 5, outputTokens: 1, cachedInputTokens: 2 },
    ]
    const reply = expectWholeAnswers('ag-ui', eventLines(...events, { ...finished, usage }))
    expect(reply).toMatchObject({
      content: 'Let me look.\n\nIt rains ☂.',
      toolCalls: [call],
      usage: { inputTokens: 8, outputTokens: 5, cachedTokens: 2 },
      messages: [
        { role: 'assistant', content: 'Let me look.', toolCalls: [call] },
        { role: 'tool', toolCallId: 'c1', content: '{"rain":true}' },
        { role: 'assistant', content: 'It rains ☂.' },
      ],
      raw: { state: { seen: ['Oslo', 'Rome'] } },
    })
  })

  it('reads a call in chunks', () => {
    const chunks = [
      { type: 'TOOL_CALL_CHUNK', toolCallId: 'c1', toolCallName: 'weather', delta: '{"city":' },
      { type: 'TOOL_CALL_CHUNK', delta: '"Oslo"}' },
    ]
    expect(read(started, ...chunks, finished).toolCalls).toEqual([
      { id: 'c1', name: 'weather', arguments: { city: 'Oslo' } },
    ])
  })

  it('reads a long run without holding up everything else', () => {
    const pieces = Array.from({ length: 60_000 }, (_, index) =>
      eventLines(
        { type: 'TOOL_CALL_CHUNK', toolCallId: `c${index}`, toolCallName: 'count', parentMessageId: 'm1' },
        { type: 'TOOL_CALL_CHUNK', delta: String(index) },
      ),
    )
    const { toolCalls } = readAnswerIn('ag-ui', [eventLines(started), ...pieces, eventLines(finished)])
    expect(toolCalls).toHaveLength(60_000)
    expect(toolCalls[1]).toEqual({ id: 'c1', name: 'count', arguments: 1 })
  })

  it('reads a delta of the state with many operations', () => {
    const delta = Array.from({ length: 200_000 }, () => ({ op: 'add', path: '/last', value: 1 }))
    const snapshot = { type: 'STATE_SNAPSHOT', snapshot: {} }
    const reply = read(started, snapshot, { type: 'STATE_DELTA', delta }, finished)
    expect(reply.raw).toMatchObject({ state: { last: 1 } })
  })

  it('continues a message, not the result of a tool that has its id', () => {
    const result = { ...answered, messageId: 'm2' }
    const reply = read(
      started,
      ...said.slice(0, 2),
      ...called,
      result,
      { ...said[1], delta: ' Bye.' },
      finished,
    )
    expect(reply).toMatchObject({ content: 'It rains ☂. Bye.', toolCalls: [call] })
  })

  it('reads the messages that follow the last one of the user in a snapshot', () => {
    const messages = [
      { id: 'u1', role: 'user', content: 'Oslo?' },
      {
        id: 'm1',
        role: 'assistant',
        toolCalls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}' } }],
      },
      { id: 't1', role: 'tool', toolCallId: 'c1', content: '', error: 'no network' },
      { id: 'm2', role: 'assistant', content: 'I do not know.' },
    ]
    const reply = read(started, { type: 'MESSAGES_SNAPSHOT', messages }, finished)
    expect(reply.content).toBe('I do not know.')
    expect(reply.toolCalls).toEqual([{ id: 'c1', name: 'weather', arguments: {}, error: 'no network' }])
  })

  it('replaces what was streamed by a snapshot, unless the snapshot was made before', () => {
    const messages = [
      { id: 'u1', role: 'user', content: 'Oslo?' },
      {
        id: 'x1',
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'c1', function: { name: 'weather', arguments: '{}' } }],
      },
      { id: 'x2', role: 'assistant', content: 'It rains ☂.' },
    ]
    const reply = read(started, ...called, ...said, { type: 'MESSAGES_SNAPSHOT', messages }, finished)
    expect(reply.toolCalls).toHaveLength(1)
    expect(reply.content).toBe('It rains ☂.')
    const before = { type: 'MESSAGES_SNAPSHOT', messages: messages.slice(0, 1) }
    expect(read(started, ...said, before, finished).content).toBe('It rains ☂.')
  })

  it('has the result of the run as output', () => {
    expect(read(started, ...said, { ...finished, result: { rain: true } })).toMatchObject({
      content: 'It rains ☂.',
      output: { rain: true },
    })
  })

  it('awaits input after an interrupt, which the next message answers together with the state', () => {
    const interrupts = [{ id: 'i1', reason: 'approval', message: 'Shall I pay?', toolCallId: 'c1' }]
    const reply = read(...events.slice(0, -4), { ...finished, outcome: { type: 'interrupt', interrupts } })
    expect(reply).toMatchObject({ awaitingInput: true, inputHint: 'Shall I pay?' })
    expect(read(started, { ...finished, outcome: { type: 'interrupt', interrupts } }).content).toBe(
      'Shall I pay?',
    )
    const body = bodyFor('ag-ui', 'yes', { turns: [playedTurn('Pay', reply)] })
    expect(body).toMatchObject({
      state: { seen: ['Oslo', 'Rome'] },
      resume: [{ interruptId: 'i1', status: 'resolved', payload: 'yes' }],
    })
  })

  it('adds a late result to the call of an earlier run', () => {
    const turns = [playedTurn('Pay', read(started, ...called, finished))]
    const stream = eventLines(started, answered, ...said, finished)
    const reply = readAnswerIn('ag-ui', [stream], { turns })
    expect(reply).toMatchObject({ content: 'It rains ☂.', toolCalls: [], lateResults: [call] })
    expect(reply.messages[0]).toMatchObject({ role: 'tool', name: 'weather', toolCallId: 'c1' })
  })

  it('is sent the messages of earlier runs with their own ids, and a result for every call', () => {
    const turns = [playedTurn('Oslo?', read(started, ...called, ...said, finished))]
    const { threadId, messages, ...rest } = bodyFor('ag-ui', 'Well?', { turns })
    expect((messages as Data[]).map(({ id, role }) => [id, role])).toEqual([
      [`${String(threadId)}-1`, 'user'],
      ['m1', 'assistant'],
      ['m2', 'assistant'],
      ['c1-result', 'tool'],
      [`${String(threadId)}-2`, 'user'],
    ])
    expect(rest).toEqual({ runId: expect.any(String), state: {}, tools: [], context: [], forwardedProps: {} })
  })

  it.each([
    ['before RUN_FINISHED', events],
    ['within a call', [started, ...called.slice(0, 2)]],
    ['within a call, although the run is finished', [started, ...called.slice(0, 2), finished]],
  ])('is truncated if it ends %s', (_, given) => {
    expect(() => read(...given)).toThrow(InfrastructureError)
    expect(() => read(...given)).toThrow(/ended too early/)
  })

  it.each([
    [{ type: 'RUN_ERROR', message: 'boom', code: 'INTERNAL' }, AgentError],
    [{ type: 'RUN_ERROR', message: 'slow down', code: 'rate_limit_exceeded' }, InfrastructureError],
    [{ ...finished, outcome: { type: 'cancelled' } }, AgentError],
  ])('blames the right side for %j', (event, kind) => {
    expect(() => read(started, event)).toThrow(kind)
  })

  it('does not fit, and names the format, if it is another protocol', () => {
    expect(() => read({ type: 'start' }, { type: 'finish' })).toThrow(
      /has no event of this format.*`format: "ag-ui"`/,
    )
  })
})
