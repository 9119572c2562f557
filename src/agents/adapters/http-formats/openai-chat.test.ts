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

const chunk = (delta: object, finish_reason: string | null = null) => ({
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
})
const called = { index: 0, id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":' } }
const events = [
  chunk({ role: 'assistant', content: 'Let me look ☂.' }),
  chunk({ tool_calls: [called] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '"Oslo"}' } }] }),
  chunk({}, 'tool_calls'),
  '[DONE]',
]
const whole = {
  choices: [{ message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 1 },
}

describe('the format openai-chat', () => {
  it('reads text and tool calls of a stream, however it is split', () => {
    expect(expectWholeAnswers('openai-chat', eventLines(...events))).toMatchObject({
      content: 'Let me look ☂.',
      toolCalls: [{ id: 'c1', name: 'weather', arguments: { city: 'Oslo' } }],
      finishReason: 'tool_calls',
    })
  })

  it('reads an answer that is not streamed, whose tools are hidden if it reports no calls', () => {
    expect(readJsonAnswer('openai-chat', whole)).toMatchObject({
      content: 'Hi',
      toolCalls: 'hidden',
      finishReason: 'stop',
      usage: { inputTokens: 5, outputTokens: 1 },
    })
  })

  it('is truncated if the stream ends before its finish reason', () => {
    expect(() => readAnswerIn('openai-chat', [eventLines(...events.slice(0, 2))])).toThrow(/ended too early/)
  })

  it('is truncated if [DONE] comes within the arguments of a call', () => {
    const stream = eventLines(...events.slice(0, 2), '[DONE]')
    expect(() => readAnswerIn('openai-chat', [stream])).toThrow(/ended too early/)
  })

  it.each([
    ['tool_calls', '{"city":'],
    ['length', '{"city":'],
    [null, '{city: Oslo}'],
  ])('keeps what a model wrote: finish reason %s, arguments %s', (reason, written) => {
    const call = { ...called, function: { name: 'weather', arguments: written } }
    const stream = eventLines(chunk({ tool_calls: [call] }), chunk({}, reason), '[DONE]')
    expect(readAnswerIn('openai-chat', [stream]).toolCalls).toEqual([
      { id: 'c1', name: 'weather', arguments: written },
    ])
  })

  it.each([
    [{ message: 'boom' }, AgentError],
    [{ message: 'boom', code: 500 }, AgentError],
    [{ message: 'wait', code: 'rate_limit_exceeded' }, InfrastructureError],
    [{ message: 'full', type: 'overloaded_error' }, InfrastructureError],
    [{ message: 'who are you?', code: 401 }, InfrastructureError],
    [{ message: 'gateway', code: 502 }, InfrastructureError],
  ])('blames the right side for the error %j, streamed or not', (error, kind) => {
    expect(() => readAnswerIn('openai-chat', [eventLines({ error })])).toThrow(kind)
    expect(() => readJsonAnswer('openai-chat', { error })).toThrow(kind)
  })

  it('respects `faults` of the config for an error with a status', () => {
    const stream = eventLines({ error: { message: 'boom', code: 500 } })
    const read = () => readAnswerIn('openai-chat', [stream], { faults: { 500: 'infrastructure' } })
    expect(read).toThrow(InfrastructureError)
  })

  it('does not fit, and names the format, if it has no choices', () => {
    expect(() => readJsonAnswer('openai-chat', { text: 'hi' })).toThrow(
      /has no choices.*`format: "openai-chat"`/,
    )
    expect(() => readAnswerIn('openai-chat', [eventLines({ type: 'start' })])).toThrow(
      /has no event of this format/,
    )
  })

  it('is sent the history with a result for every call', () => {
    const turns = [playedTurn('Oslo?', readAnswerIn('openai-chat', [eventLines(...events)]))]
    expect(bodyFor('openai-chat', 'Well?', { turns }).messages).toEqual([
      { role: 'user', content: 'Oslo?' },
      {
        role: 'assistant',
        content: 'Let me look ☂.',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'There is no result: the conversation went on.' },
      { role: 'user', content: 'Well?' },
    ])
  })
})
