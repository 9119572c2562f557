import { describe, expect, it } from 'vitest'
import { callOf, damage, damagedTexts, replyOf } from '../place.fixture.ts'
import { nameChanged } from './name-changed.ts'

describe('name_changed', () => {
  it.each([
    ['Your reference is EXP-2025-001.', 'Your reference is EXP-2025-002.'],
    ['A flight to Berlin', 'A flight to Marlow'],
    ['It goes to Anna Smith now', 'It goes to Marlow now'],
  ])('makes of "%s" "%s"', (right, wrong) => {
    expect(damagedTexts(nameChanged, right)).toEqual([wrong])
  })

  it('knows the values of tools, wherever they stand', () => {
    const reply = replyOf('One latte, please wait.', callOf('order', { drink: 'latte' }, { message: 'ok' }))
    expect(damage(nameChanged, reply).map((found) => found.reply.content)).toEqual([
      'One marlow, please wait.',
    ])
  })

  it('finds nothing at the beginning of a sentence, in months or in plain words', () => {
    expect(damagedTexts(nameChanged, 'Travel is fine. Meals, too. It starts in May.')).toEqual([])
  })
})
