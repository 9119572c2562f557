import { describe, expect, it } from 'vitest'
import type { Message, ToolCall } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import { delegatedReply, packageReply } from './package-reply.ts'
import type { Answered } from './tool-loop.ts'

const call: ToolCall = { id: 'c', name: 'put', arguments: {}, result: { id: 1 } }
const asking: Message = { role: 'assistant', content: '', toolCalls: [call] }
const told: Message = { role: 'tool', content: '{"id":1}', toolCallId: 'c' }

/** A model that said this, after these messages of its tools. */
function answered(content: string, before: Message[] = []): Answered {
  const calls = before.length > 0 ? [call] : []
  const messages = [...before, ...(content === '' ? [] : [{ role: 'assistant' as const, content }])]
  const reply: Reply = { output: content, content, messages, toolCalls: calls, finishReason: 'stop' }
  return { reply, completion: reply, calls }
}

describe('the reply of a package', () => {
  it('is what the model said, where Next has nothing to add', () => {
    for (const nothing of [undefined, null, '', {}, []])
      expect(packageReply(answered('Hi'), nothing, [])).toEqual(answered('Hi').reply)
  })

  it('is the data of Next, in the history too, after what the tools did', () => {
    const reply = packageReply(answered('raw', [asking, told]), { id: 1 }, [{ id: 'M1', text: 'sent' }])
    expect(reply).toMatchObject({ output: { id: 1 }, content: '{"id":1}', toolCalls: [call] })
    expect(reply.messages).toEqual([asking, told, { role: 'assistant', content: '{"id":1}' }])
  })

  it.each([0, false, 'text', [0]])('may be %j', (data) => {
    expect(packageReply(undefined, data, []).output).toEqual(data)
  })

  it('declares whether it waits for an answer', () => {
    const data = { content: 'Which day?', awaiting_input: true, input_hint: 'a date' }
    expect(packageReply(undefined, data, [])).toMatchObject({
      output: data,
      content: 'Which day?',
      awaitingInput: true,
      inputHint: 'a date',
    })
    expect(packageReply(undefined, { awaiting_input: 'yes' }, [])).not.toHaveProperty('awaitingInput')
  })

  it('is what was sent, where nothing else was said', () => {
    const sent = ['One.', '', 'Two.'].map((text, index) => ({ id: `M${index}`, text }))
    expect(packageReply(undefined, null, sent)).toMatchObject({
      content: 'One.\n\nTwo.',
      output: 'One.\n\nTwo.',
    })
    expect(packageReply(answered('Hi'), null, sent).content).toBe('Hi')
  })

  it('is nothing where nothing was said at all', () => {
    expect(packageReply(undefined, null, [])).toEqual({
      output: null,
      content: '',
      messages: [],
      toolCalls: [],
    })
  })
})

describe('a reply of another agent', () => {
  const other: Reply = {
    output: 'x',
    content: 'x',
    messages: [{ role: 'assistant', content: 'x' }],
    toolCalls: [],
  }

  it('has the calls that were made before it was handed on', () => {
    const reply = delegatedReply(answered('', [asking, told]), other)
    expect(reply.toolCalls).toEqual([call])
    expect(reply.messages).toEqual([asking, told, ...other.messages])
  })

  it('is taken as it is where there were none', () => {
    expect(delegatedReply(undefined, other)).toBe(other)
    expect(delegatedReply(answered('Hi'), other)).toBe(other)
  })

  it('says nothing of tools where one of the two does not', () => {
    const hidden: Reply = { ...other, toolCalls: 'hidden' }
    expect(delegatedReply(answered('', [asking, told]), hidden).toolCalls).toBe('hidden')
  })
})
