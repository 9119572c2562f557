import { describe, expect, it } from 'vitest'
import { callNames, callOf, damage, replyOf } from '../place.fixture.ts'
import { toolsReordered } from './tools-reordered.ts'

const create = callOf('create_order', { drink: 'tea' }, { reference: 'R-17' })
const pay = callOf('pay', { reference: 'R-17' })

describe('tools_reordered', () => {
  it('swaps calls of which the second needs the first', () => {
    expect(damage(toolsReordered, replyOf('Done', create, pay)).map(callNames)).toEqual([
      ['pay', 'create_order'],
    ])
  })

  it('leaves calls alone that do not depend on each other, and two that only read', () => {
    expect(damage(toolsReordered, replyOf('Done', create, callOf('send_mail', { to: 'Ada' })))).toEqual([])
    const reads = [
      callOf('find_order', {}, { reference: 'R-17' }),
      callOf('get_order', { reference: 'R-17' }),
    ]
    expect(damage(toolsReordered, replyOf('Done', ...reads))).toEqual([])
  })
})
