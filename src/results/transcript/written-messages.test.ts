import { describe, expect, it } from 'vitest'
import { readMessages } from './written-messages.ts'

describe('readMessages', () => {
  it('accepts a text, a message or a list', () => {
    const message = { role: 'user', content: 'hi' }
    expect(readMessages('hi')).toEqual([message])
    expect(readMessages('')).toEqual([{ role: 'user', content: '' }])
    expect(readMessages(message)).toEqual([message])
    expect(readMessages([{ role: 'system', content: 'be kind' }, message])).toEqual([
      { role: 'system', content: 'be kind' },
      message,
    ])
  })

  it('keeps the known fields of a message and drops others', () => {
    expect(
      readMessages([
        { role: 'user', content: [{ type: 'text', text: 'hi' }], name: 'ada', id: 'x', __proto__: { a: 1 } },
        { role: 'assistant', content: null },
        { role: 'assistant' },
        { role: 'tool', content: 'done', tool_call_id: 'c1', name: 7 },
      ]),
    ).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'hi' }], name: 'ada' },
      { role: 'assistant', content: null },
      { role: 'assistant', content: '' },
      { role: 'tool', content: 'done', toolCallId: 'c1' },
    ])
  })

  it('accepts tool calls in the form of the OpenAI API and of viva', () => {
    const [message] = readMessages({
      role: 'assistant',
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } },
        { id: 'c2', name: 'add', arguments: { a: 2 } },
        { id: 'c3', name: 'add', args: { a: 3 } },
        { id: 'c4', function: { name: 'list', arguments: '' } },
        { name: 'list' },
        'nonsense',
      ],
    })
    expect(message?.toolCalls).toEqual([
      { id: 'c1', name: 'add', arguments: { a: 1 } },
      { id: 'c2', name: 'add', arguments: { a: 2 } },
      { id: 'c3', name: 'add', arguments: { a: 3 } },
      { id: 'c4', name: 'list', arguments: {} },
      { id: '', name: 'list', arguments: {} },
      { id: '', name: '', arguments: {} },
    ])
  })

  it('accepts arguments that are not valid JSON', () => {
    const [message] = readMessages({
      role: 'assistant',
      tool_calls: [{ id: 'c', name: 'add', arguments: '{"a":' }],
    })
    expect(message?.toolCalls).toEqual([{ id: 'c', name: 'add', arguments: '{"a":' }])
  })

  it.each<[unknown, string]>([
    [[], 'there is no message to send'],
    [undefined, 'got nothing'],
    [null, 'got null'],
    [7, 'got 7'],
    [['hi'], 'got "hi"'],
    [{ content: 'hi' }, 'got {"content":"hi"}'],
    [{ role: 'robot', content: 'hi' }, 'got {"role":"robot","content":"hi"}'],
    [{ role: ['user'], content: 'hi' }, 'got {"role":["user"]'],
    [[{ role: 'user', content: 'hi' }, []], 'got []'],
  ])('rejects %j', (given, message) => {
    expect(() => readMessages(given)).toThrow(message)
  })

  it('shortens a wrong message in the error', () => {
    expect(() => readMessages({ role: 'x', content: 'y'.repeat(10_000) })).toThrow(/^.{1,400}$/)
  })
})
