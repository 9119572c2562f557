import { describe, expect, it } from 'vitest'
import { callNames, callOf, damage, replyOf } from '../place.fixture.ts'
import { toolRenamed } from './tool-renamed.ts'

describe('tool_renamed', () => {
  it('calls another tool of the suite, with the same arguments', () => {
    const reply = replyOf('Done', callOf('pay', { amount: 5 }))
    const [found] = damage(toolRenamed, reply, { tools: ['cancel', 'pay'] })
    expect(found?.reply.toolCalls).toMatchObject([{ name: 'cancel', arguments: { amount: 5 } }])
  })

  it('makes a name up if there is no other tool', () => {
    expect(damage(toolRenamed, replyOf('Done', callOf('pay'))).map(callNames)).toEqual([['preview_pay']])
  })
})
