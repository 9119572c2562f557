import { describe, expect, it } from 'vitest'
import { damage, damagedTexts, replyOf } from '../place.fixture.ts'
import { numberChanged } from './number-changed.ts'

describe('number_changed', () => {
  it.each([
    ['It costs $3,500.', 'It costs $4,500.'],
    ['That is 4.5 euros', 'That is 5.5 euros'],
    ['A fee of 9% applies', 'A fee of 1% applies'],
  ])('makes of "%s" "%s"', (right, wrong) => {
    expect(damagedTexts(numberChanged, right)).toEqual([wrong])
  })

  it('changes a number everywhere, as a whole', () => {
    expect(damagedTexts(numberChanged, '50 and 50, not 500 or 1.50')[0]).toBe('60 and 60, not 500 or 1.50')
  })

  it.each(['1. Travel\n2. Meals', 'See [1]', 'EXP-2025-001', 'on 2025-05-20', 'at 10:30', 'the 2nd'])(
    'finds nothing in "%s"',
    (text) => {
      expect(damagedTexts(numberChanged, text)).toEqual([])
    },
  )

  it('changes data in its output, and in the JSON that was said', () => {
    const [found] = damage(numberChanged, replyOf({ total: 20, note: 'all 20 of them' }))
    expect(found?.reply.output).toEqual({ total: 30, note: 'all 30 of them' })
    expect(found?.reply.content).toBe('{"total":30,"note":"all 30 of them"}')
    expect(found?.reply.messages).toEqual([{ role: 'assistant', content: found?.reply.content }])
  })
})
