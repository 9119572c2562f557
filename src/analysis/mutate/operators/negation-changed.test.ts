import { describe, expect, it } from 'vitest'
import { damagedTexts } from '../place.fixture.ts'
import { negationChanged } from './negation-changed.ts'

describe('negation_changed', () => {
  it.each([
    ['I cannot refund it.', 'I can refund it.'],
    ["It isn't covered.", 'It is covered.'],
    ['Sorry, there is no mojito.', 'Sorry, there is a mojito.'],
    ['I have created it.', 'I have not created it.'],
    ['It will arrive tomorrow.', 'It will not arrive tomorrow.'],
    ['The order is on its way.', 'The order is not on its way.'],
    ['We do not ship there.', 'We ship there.'],
  ])('makes of "%s" "%s"', (right, wrong) => {
    expect(damagedTexts(negationChanged, right)).toEqual([wrong])
  })

  it.each(['Is that right?', 'If it is wrong, tell me.', 'Please wait.', 'Here is your bill.', 'Thank you!'])(
    'finds nothing in "%s", whose opposite is no mistake',
    (text) => {
      expect(damagedTexts(negationChanged, text)).toEqual([])
    },
  )
})
