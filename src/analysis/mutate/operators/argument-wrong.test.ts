import { describe, expect, it } from 'vitest'
import { callOf, damage, replyOf } from '../place.fixture.ts'
import { argumentWrong } from './argument-wrong.ts'

function wrongArguments(args: unknown): unknown[] {
  return damage(argumentWrong, replyOf('Done', callOf('book', args))).map(({ reply: { toolCalls } }) =>
    toolCalls === 'hidden' ? undefined : toolCalls[0]?.arguments,
  )
}

describe('argument_wrong', () => {
  it.each<[unknown, unknown]>([
    [{ amount: 3500 }, { amount: 4500 }],
    [{ amount: '3500' }, { amount: '4500' }],
    [{ day: '2025-05-20' }, { day: '2025-05-23' }],
    [{ id: 'HAT136' }, { id: 'HAT137' }],
    [{ paid: true }, { paid: false }],
    [{ seats: [{ row: 7 }] }, { seats: [{ row: 8 }] }],
  ])('makes of %j %j', (right, wrong) => {
    expect(wrongArguments(right)).toEqual([wrong])
  })

  it('leaves free text alone, which may be worded in many ways', () => {
    expect(wrongArguments({ reason: 'ill', text: 'one two three four five six', note: '' })).toEqual([])
    expect(wrongArguments({ query: 'something that nobody would write twice in these words' })).toEqual([])
  })
})
