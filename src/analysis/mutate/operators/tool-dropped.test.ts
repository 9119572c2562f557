import { describe, expect, it } from 'vitest'
import { callNames, callOf, damage, replyOf } from '../place.fixture.ts'
import { toolDropped } from './tool-dropped.ts'

describe('tool_dropped', () => {
  it('drops each call with its result, and nothing of what was said', () => {
    const found = damage(toolDropped, replyOf('Done', callOf('look_up'), callOf('pay')))
    expect(found.map(callNames)).toEqual([['pay'], ['look_up']])
    expect(found[0]?.reply.messages).toEqual([
      { role: 'assistant', content: '', toolCalls: [callOf('pay')] },
      { role: 'tool', content: {}, toolCallId: 'call_pay' },
      { role: 'assistant', content: 'Done' },
    ])
    expect(found[0]?.reply.content).toBe('Done')
  })

  it('keeps a call that was made twice, and one that failed', () => {
    const failed = { ...callOf('pay'), error: 'no money' }
    expect(damage(toolDropped, replyOf('Done', callOf('look_up'), callOf('look_up'), failed))).toEqual([])
  })

  it('keeps what an agent thinks and calculates with', () => {
    expect(damage(toolDropped, replyOf('Done', callOf('think'), callOf('calculate')))).toEqual([])
  })

  it('finds nothing where tools are hidden', () => {
    expect(damage(toolDropped, { ...replyOf('Done'), toolCalls: 'hidden' })).toEqual([])
  })
})
