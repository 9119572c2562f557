import { describe, expect, it } from 'vitest'
import { AgentError } from '../../errors.ts'
import { toReply } from './module-reply.ts'

describe('toReply', () => {
  it('uses text as content and output', () => {
    expect(toReply('hi')).toEqual({
      output: 'hi',
      content: 'hi',
      messages: [{ role: 'assistant', content: 'hi' }],
      toolCalls: 'hidden',
    })
  })

  it('uses any other value as the output', () => {
    expect(toReply({ reply: 'hi', booking: 1 })).toMatchObject({
      output: { reply: 'hi', booking: 1 },
      content: '{"reply":"hi","booking":1}',
    })
    expect(toReply([1, 2])).toMatchObject({ output: [1, 2] })
    expect(toReply(0)).toMatchObject({ output: 0, content: '0' })
    expect(toReply(false)).toMatchObject({ output: false })
  })

  it('reads the fields of an object shaped like a reply', () => {
    const reply = toReply({
      content: 'Which?',
      output: { open: true },
      tool_calls: [
        { name: 'look', args: { a: 1 }, result: 2 },
        { id: 'x', name: 'see', arguments: { b: 1 }, error: 'no' },
      ],
      awaiting_input: true,
      input_hint: 'a number',
      finish_reason: 'stop',
      usage: { input_tokens: 3, output_tokens: 4 },
    })
    expect(reply).toMatchObject({
      output: { open: true },
      content: 'Which?',
      toolCalls: [
        { id: 'call_1', name: 'look', arguments: { a: 1 }, result: 2 },
        { id: 'x', name: 'see', arguments: { b: 1 }, error: 'no' },
      ],
      awaitingInput: true,
      inputHint: 'a number',
      finishReason: 'stop',
      usage: { inputTokens: 3, outputTokens: 4 },
    })
    expect(toReply({ content: 'x', tool_calls: [] }).toolCalls).toEqual([])
  })

  it('ignores impossible token counts and costs', () => {
    const usage = { input_tokens: -3, output_tokens: Number.NaN, cached_tokens: Infinity, cost: -5 }
    expect(toReply({ content: 'x', usage }).usage).toEqual({})
    const free = { input_tokens: 0, output_tokens: 4, cost: 0 }
    expect(toReply({ content: 'x', usage: free }).usage).toEqual({ inputTokens: 0, outputTokens: 4, cost: 0 })
  })

  it.each([
    ['{"a":1}', { a: 1 }],
    ['null', {}],
    ['', {}],
    ['not JSON', 'not JSON'],
  ])('parses tool arguments written as text: %j', (written, read) => {
    const { toolCalls } = toReply({ content: 'x', tool_calls: [{ name: 'look', arguments: written }] })
    expect(toolCalls).toMatchObject([{ arguments: read }])
  })

  it.each([
    [null],
    [undefined],
    [{ tool_calls: 'none' }],
    [{ tool_calls: [{}] }],
    [{ content: 'x', awaiting_input: 'yes' }],
  ])('throws AgentError for %j', (answer) => {
    expect(() => toReply(answer)).toThrow(AgentError)
  })
})
