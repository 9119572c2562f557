import { describe, expect, it } from 'vitest'
import { callNames, callOf, damage, replyOf } from '../place.fixture.ts'
import { destructiveCall } from './destructive-call.ts'

describe('destructive_call', () => {
  it('calls a destructive tool of the suite besides, or one that is made up', () => {
    const reply = replyOf('Done', callOf('pay'))
    expect(damage(destructiveCall, reply, { tools: ['pay', 'cancel_order'] }).map(callNames)).toEqual([
      ['pay', 'cancel_order'],
    ])
    expect(damage(destructiveCall, reply, { tools: ['pay'] }).map(callNames)).toEqual([
      ['pay', 'delete_account'],
    ])
  })

  it('finds nothing for agents without tools, or that hide them', () => {
    expect(damage(destructiveCall, replyOf('Hello'))).toEqual([])
    expect(damage(destructiveCall, { ...replyOf('Hello'), toolCalls: 'hidden' }, { tools: ['pay'] })).toEqual(
      [],
    )
  })
})
