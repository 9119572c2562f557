import { describe, expect, it } from 'vitest'
import { onlyText, replaceCall, replaceInReply, sayInstead, withCalls } from './edit-reply.ts'
import { callOf, replyOf } from './place.fixture.ts'

describe('a changed reply', () => {
  it('is changed in its text, its output and its messages', () => {
    expect(replaceInReply(replyOf('It costs 5', callOf('pay')), '5', '6')).toEqual(
      replyOf('It costs 6', callOf('pay')),
    )
  })

  it('keeps what tools returned', () => {
    const reply = replyOf('latte', callOf('order', { drink: 'latte' }, 'latte'))
    const changed = replaceInReply(reply, 'latte', 'tea')
    expect(changed.toolCalls).toEqual(reply.toolCalls)
    expect(changed.messages.find(({ role }) => role === 'tool')?.content).toBe('latte')
  })

  it('says another text in the message that spoke', () => {
    expect(sayInstead(replyOf('Hello', callOf('pay')), 'Bye')).toEqual(replyOf('Bye', callOf('pay')))
    expect(onlyText(replyOf('Hello', callOf('pay')), 'Bye')).toEqual(replyOf('Bye'))
  })

  it('has its calls where they were: in messages of their own, or in the one that speaks', () => {
    expect(withCalls(replyOf('Hi', callOf('pay')), [])).toEqual(replyOf('Hi'))
    expect(withCalls(replyOf('Hi', callOf('pay')), [callOf('buy')]).messages).toEqual([
      { role: 'assistant', content: '', toolCalls: [callOf('buy')] },
      { role: 'tool', name: 'buy', content: {}, toolCallId: 'call_buy' },
      { role: 'assistant', content: 'Hi' },
    ])
    const call = callOf('pay')
    const spoken = {
      ...replyOf('Hi'),
      toolCalls: [call],
      messages: [{ role: 'assistant' as const, content: 'Hi', toolCalls: [call] }],
    }
    expect(replaceCall(spoken, call, [call, callOf('buy')]).messages).toEqual([
      { role: 'assistant', content: 'Hi', toolCalls: [call, callOf('buy')] },
    ])
  })
})
