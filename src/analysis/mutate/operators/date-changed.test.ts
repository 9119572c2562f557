import { describe, expect, it } from 'vitest'
import { damagedTexts } from '../place.fixture.ts'
import { dateChanged } from './date-changed.ts'

describe('date_changed', () => {
  it.each([
    ['on 2025-05-20', 'on 2025-05-23'],
    ['on May 27, 2025', 'on May 2, 2025'],
    ['on 3 June', 'on 6 June'],
    ['next Monday', 'next Wednesday'],
    ['at 10:30', 'at 13:30'],
    ['at 9:00 PM', 'at 12:00 PM'],
  ])('makes of "%s" "%s"', (right, wrong) => {
    expect(damagedTexts(dateChanged, right)).toEqual([wrong])
  })

  it('finds nothing in other numbers, or in the verb may', () => {
    expect(damagedTexts(dateChanged, 'You may pay 20 or 30')).toEqual([])
  })
})
