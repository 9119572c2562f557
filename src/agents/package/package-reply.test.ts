import { describe, expect, it } from 'vitest'
import type { Message, ToolCall } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import { delegatedReply, packageReply } from './package-reply.ts'
import type { Answered } from './tool-loop.ts'

const call: ToolCall = { id: 'c', name: 'put', arguments: {}, result: { id: 1 } }
const asking: Message = { role: 'assistant', content: '', toolCalls: [call] }
const toolAnswer: Message = { role: 'tool', content: '{"id":1}', toolCallId: 'c' }

/** The result of a model that answered `content` after the messages `before`. */
function answered(content: string, before: Message[] = []): Answered {
  const calls = before.length > 0 ? [call] : []
  const messages = [...before, ...(content === '' ? [] : [{ role: 'assistant' as const, content }])]
  const reply: Reply = { output: content, content, messages, toolCalls: calls, finishReason: 'stop' }
  return { reply, completion: reply, calls }
}

describe('packageReply', () => {
  it('returns the model’s answer when Next returns no data', () => {
    for (const nothing of [undefined, null, '', {}, []])
      expect(packageReply(answered('Hi'), nothing, [])).toEqual(answered('Hi').reply)
  })

  it('replaces the answer by the data of Next, also in the history after the tool messages', () => {
    const reply = packageReply(answered('raw', [asking, toolAnswer]), { id: 1 }, [{ id: 'M1', text: 'sent' }])
    expect(reply).toMatchObject({ output: { id: 1 }, content: '{"id":1}', toolCalls: [call] })
    expect(reply.messages).toEqual([asking, toolAnswer, { role: 'assistant', content: '{"id":1}' }])
  })

  it.each([0, false, 'text', [0]])('accepts %j as data of Next', (data) => {
    expect(packageReply(undefined, data, []).output).toEqual(data)
  })

  it('reads awaiting_input and input_hint from the data of Next', () => {
    const data = { content: 'Which day?', awaiting_input: true, input_hint: 'a date' }
    expect(packageReply(undefined, data, [])).toMatchObject({
      output: data,
      content: 'Which day?',
      awaitingInput: true,
      inputHint: 'a date',
    })
    expect(packageReply(undefined, { awaiting_input: 'yes' }, [])).not.toHaveProperty('awaitingInput')
  })

  it('uses the messages that hooks sent when nobody answered', () => {
    const sent = ['One.', '', 'Two.'].map((text, index) => ({ id: `M${index}`, text }))
    expect(packageReply(undefined, null, sent)).toMatchObject({
      content: 'One.\n\nTwo.',
      output: 'One.\n\nTwo.',
    })
    expect(packageReply(answered('Hi'), null, sent).content).toBe('Hi')
  })

  it('is empty when there is no answer at all', () => {
    expect(packageReply(undefined, null, [])).toEqual({
      output: null,
      content: '',
      messages: [],
      toolCalls: [],
    })
  })
})

describe('delegatedReply', () => {
  const other: Reply = {
    output: 'x',
    content: 'x',
    messages: [{ role: 'assistant', content: 'x' }],
    toolCalls: [],
  }

  it('includes the tool calls made before the turn was delegated', () => {
    const reply = delegatedReply(answered('', [asking, toolAnswer]), other)
    expect(reply.toolCalls).toEqual([call])
    expect(reply.messages).toEqual([asking, toolAnswer, ...other.messages])
  })

  it('includes the calls that the provider of the first model has run, and not what it said', () => {
    const first = answered('Searched.')
    const searched = { ...first, reply: { ...first.reply, toolCalls: [call] } }
    expect(delegatedReply(searched, other)).toEqual({ ...other, toolCalls: [call] })
  })

  it('is the delegate’s reply unchanged when there were no tool calls before', () => {
    expect(delegatedReply(undefined, other)).toBe(other)
    expect(delegatedReply(answered('Hi'), other)).toBe(other)
  })

  it('hides tool calls when one of the two agents hides them', () => {
    const hidden: Reply = { ...other, toolCalls: 'hidden' }
    expect(delegatedReply(answered('', [asking, toolAnswer]), hidden).toolCalls).toBe('hidden')
    const first = answered('Hi')
    const hiding = { ...first, reply: { ...first.reply, toolCalls: 'hidden' as const } }
    expect(delegatedReply(hiding, other).toolCalls).toBe('hidden')
  })
})
