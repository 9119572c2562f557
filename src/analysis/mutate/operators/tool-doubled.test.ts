import { describe, expect, it } from 'vitest'
import { callNames, callOf, damage, replyOf } from '../place.fixture.ts'
import { toolDoubled } from './tool-doubled.ts'

describe('tool_doubled', () => {
  it('calls a tool that changes something twice, under another id', () => {
    const [found] = damage(toolDoubled, replyOf('Done', callOf('create_order', { drink: 'tea' })))
    expect(found && callNames(found)).toEqual(['create_order', 'create_order'])
    expect(found?.reply.toolCalls).toMatchObject([
      { id: 'call_create_order' },
      { id: 'call_create_order_again' },
    ])
  })

  it.each([
    'get_order',
    'list',
    'menu__price',
    'setAddress',
    'update_order',
    'request_confirmation',
    'cancel_order',
    'transfer_to_human_agents',
  ])('leaves %s alone, because a second call makes no difference', (name) => {
    expect(damage(toolDoubled, replyOf('Done', callOf(name)))).toEqual([])
  })
})
