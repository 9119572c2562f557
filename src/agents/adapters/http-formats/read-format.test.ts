import { describe, expect, it } from 'vitest'
import { InfrastructureError } from '../../../errors.ts'
import type { HttpFormatName } from '../../../project/http-formats.ts'
import { eventLines, readAnswerIn } from './answers.fixture.ts'
import { httpFormats } from './list.ts'
import { createReadFormat } from './read-format.ts'

/** An answer that arrives while a clock is set by hand. */
function beginAnswer(format: HttpFormatName, type = 'text/event-stream', leftMs = Number.POSITIVE_INFINITY) {
  let now = 0
  const time = { clock: () => now, deadline: Date.now() + leftMs }
  const url = new URL('http://agent.example/chat')
  const sent = { url, keySent: false, callPrefix: 'call', faults: undefined, body: {}, turns: [] }
  const reading = createReadFormat(format, httpFormats[format], sent, time)
  const reader = reading.read({ status: 200, statusText: 'OK', headers: { 'content-type': type } })
  return {
    ...reading,
    ...reader,
    pass: (ms: number) => {
      now += ms
    },
    receive: (...events: unknown[]) => void reader.push(Buffer.from(eventLines(...events))),
  }
}

const chunk = (content: string, reason: string | null = null) => ({
  choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: reason }],
})
const finishes: [HttpFormatName, unknown[], unknown][] = [
  ['openai-chat', [chunk('One.', 'stop')], chunk(' Two')],
  [
    'ai-sdk-ui',
    [{ type: 'text-delta', id: 't', delta: 'One.' }, { type: 'finish' }],
    { type: 'text-start', id: 'u' },
  ],
]

describe('an answer that is finished, but not ended', () => {
  it.each(finishes)('is taken after a long silence: %s', (format, events) => {
    const answer = beginAnswer(format)
    expect(answer.graceMs?.()).toBeUndefined()
    answer.receive(...events)
    expect(answer.graceMs?.()).toBe(30_000)
    answer.pass(10_000)
    answer.push(Buffer.from(': still here\n\n'))
    answer.receive({ type: 'keepalive' }, { type: 'status' })
    expect(answer.graceMs?.()).toBe(20_000)
    answer.pass(20_000)
    expect(answer.end(undefined).content).toBe('One.')
    expect(answer.waitedMs()).toBe(30_000)
  })

  it.each(finishes)('is not taken while it goes on: %s', (format, events, next) => {
    const answer = beginAnswer(format)
    answer.receive(...events)
    answer.pass(1000)
    answer.receive(next)
    expect(answer.graceMs?.()).toBeUndefined()
    answer.receive(events.at(-1))
    expect(answer.graceMs?.()).toBe(30_000)
  })

  it('waits again after an event that adds something', () => {
    const answer = beginAnswer('openai-chat')
    answer.receive(chunk('One.', 'stop'))
    answer.pass(10_000)
    answer.receive({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } })
    expect(answer.graceMs?.()).toBe(30_000)
  })

  it('is taken before the time of its turn is up', () => {
    const answer = beginAnswer('openai-chat', 'text/event-stream', 10_000)
    answer.receive(chunk('One.', 'stop'))
    expect(answer.graceMs?.()).toBeLessThan(10_000)
  })

  it('has waited for nothing if its end marker comes', () => {
    const answer = beginAnswer('openai-chat')
    answer.receive(chunk('One.', 'stop'))
    answer.pass(1000)
    answer.receive('[DONE]')
    answer.end(undefined)
    expect(answer.waitedMs()).toBe(0)
  })
})

describe('what does not fit the format', () => {
  it.each<[HttpFormatName, unknown]>([
    ['ai-sdk-ui', { choices: [] }],
    ['openai-chat', { type: 'response.created' }],
    ['openai-responses', { type: 'RUN_STARTED' }],
    ['ag-ui', { type: 'text-start', id: 't' }],
  ])('is the mistake of the config if it is an event of another format: %s, %j', (format, event) => {
    const answer = beginAnswer(format)
    answer.receive({ status: 'thinking' }, event)
    expect(answer.misfit()).toMatchObject({ isFinal: true })
  })

  it.each<[HttpFormatName, unknown]>([
    ['openai-chat', { status: 'thinking' }],
    ['openai-responses', { type: 'status' }],
  ])('may be an addition of the server otherwise: %s, %j', (format, event) => {
    const answer = beginAnswer(format)
    answer.receive(event)
    expect(answer.misfit()).toMatchObject({
      isFinal: false,
      problem: expect.stringContaining('has no event of this format'),
    })
  })

  it('is nothing that only keeps the connection alive', () => {
    const answer = beginAnswer('openai-chat')
    answer.receive({ type: 'keepalive' }, { type: 'ping' })
    answer.push(Buffer.from('event: ping\ndata: 12:00\n\n'))
    expect(answer.misfit()).toBeUndefined()
    expect(() => answer.end(undefined)).toThrow('ended too early')
  })

  it.each<[HttpFormatName, string, boolean | undefined]>([
    ['ag-ui', '{"text": "Hi', true],
    ['openai-chat', '{"choices": [', undefined],
    ['openai-chat', '<!doctype html><p>Loading', true],
    ['openai-chat', 'Thinking about it', false],
  ])('is seen in a body that is not declared as a stream: %s, %s', (format, begin, isFinal) => {
    const answer = beginAnswer(format, 'text/plain')
    answer.push(Buffer.from(begin))
    expect(answer.misfit()?.isFinal).toBe(isFinal)
  })
})

describe('an answer that is cut off', () => {
  const named = (event: string, data: unknown) => `event: ${event}\n${eventLines(data)}`
  const pay = { id: 'c1', index: 0, name: 'pay' }
  const user = { type: 'human', content: 'Pay' }
  const chunk = { type: 'AIMessageChunk', id: 'a1', tool_call_chunks: [{ ...pay, args: '{"amo' }] }
  const call = { ...pay, function: { name: 'pay', arguments: '{"amo' } }
  const item = { type: 'function_call', call_id: 'c1', name: 'pay', arguments: '' }
  const inCalls: [HttpFormatName, string][] = [
    ['ai-sdk-ui', eventLines({ type: 'tool-input-start', toolCallId: 'c1', toolName: 'pay' })],
    ['openai-chat', eventLines({ choices: [{ index: 0, delta: { tool_calls: [call] } }] })],
    [
      'openai-responses',
      eventLines(
        { type: 'response.output_item.added', item },
        { type: 'response.function_call_arguments.delta', delta: '{"amo' },
      ),
    ],
    ['ag-ui', eventLines({ type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'pay' })],
    ['langgraph', named('messages', [chunk])],
  ]
  const afterTexts: [HttpFormatName, string][] = [
    ['ai-sdk-ui', eventLines({ type: 'text-delta', id: 't', delta: 'Good day' })],
    ['openai-chat', eventLines({ choices: [{ index: 0, delta: { content: 'Good day' } }] })],
    ['openai-responses', eventLines({ type: 'response.output_text.delta', delta: 'Good day' })],
    ['ag-ui', eventLines({ type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'Good day' })],
    ['langgraph', named('values', { messages: [user, { type: 'ai', content: 'Good day' }] })],
  ]
  const cut = new InfrastructureError('truncated', 'the answer was cut short', { retryable: true })

  it.each(inCalls)('names the tool whose call it ends in: %s', (format, stream) => {
    for (const answered of [{}, { cut }])
      expect(() => readAnswerIn(format, [stream], answered)).toThrow(
        /(?:ended too early|was cut short), within the call of the tool pay/,
      )
  })

  it.each(afterTexts)('shows what was said: %s', (format, stream) => {
    const error = { kind: 'truncated', retryable: true, message: 'the answer was cut short, after: Good day' }
    expect(() => readAnswerIn(format, [stream], { cut })).toThrow(expect.objectContaining(error))
  })

  it.each([
    ['its metadata', named('metadata', { run_id: 'r' })],
    ['the message of the user', named('metadata', {}) + named('values', { messages: [user] })],
    ['nothing', ''],
  ])('is a run of LangGraph that ends after %s', (_, stream) => {
    expect(() => readAnswerIn('langgraph', [stream])).toThrow(
      /^the answer of \S+ ended too early, before anything was said$/,
    )
  })

  it('is no run of LangGraph that has gone on, but added no message', () => {
    const state = named('values', { messages: [user] })
    expect(readAnswerIn('langgraph', [state, state]).content).toBe('')
    expect(readAnswerIn('langgraph', [state, named('end', null)]).content).toBe('')
  })
})
