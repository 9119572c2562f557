import { describe, expect, it } from 'vitest'
import { damagedTexts } from '../place.fixture.ts'
import { sentenceDropped } from './sentence-dropped.ts'

describe('sentence_dropped', () => {
  it('drops a sentence with its space', () => {
    expect(damagedTexts(sentenceDropped, 'The fee is 20 euros. Your flight leaves at noon.')).toEqual([
      'Your flight leaves at noon.',
      'The fee is 20 euros.',
    ])
  })

  it('drops the only question', () => {
    expect(damagedTexts(sentenceDropped, 'Hello! What would you like to drink?')).toEqual(['Hello!'])
  })

  it.each([
    'Shall I submit it? Please confirm.',
    'Only one sentence is here.',
    '{"text": "The fee is 20 euros. Your flight leaves at noon."}',
    'Welcome to our hotel! I can assist you with canceling your flights.',
    'Please hold on for a moment. I am very sorry to hear about your loss.',
    "Here are the details: Let's continue with the booking process.",
  ])('finds nothing that would be missed in "%s"', (text) => {
    expect(damagedTexts(sentenceDropped, text)).toEqual([])
  })

  it('leaves out what is said twice, and offers', () => {
    expect(damagedTexts(sentenceDropped, 'Expense submitted.\n\nThe expense was submitted.')).toEqual([])
    expect(damagedTexts(sentenceDropped, 'Ok. Let me know if you need anything else.')).toEqual([])
  })
})
