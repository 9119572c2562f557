import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutSentences, cutWords, joinParts } from './message-parts.ts'

describe('the parts of a message', () => {
  it('sentences end where a sentence ends, in other scripts too', () => {
    expect(cutSentences('I owe $2.50 to Kim. Is that right?  Yes!')).toEqual([
      'I owe $2.50 to Kim. ',
      'Is that right?  ',
      'Yes!',
    ])
    expect(cutSentences('我要退款。今天可以吗？')).toEqual(['我要退款。', '今天可以吗？'])
  })

  it('words keep their punctuation, and are found without spaces', () => {
    expect(cutWords(' Dinner, $250\nplease ')).toEqual(['Dinner, ', '$250\n', 'please'])
    expect(cutWords('我要退款').length).toBeGreaterThan(1)
  })

  it('all parts together are the text, and some of them have no space around them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        for (const cut of [cutSentences, cutWords]) {
          const parts = cut(text)
          expect(joinParts(parts, [...parts.keys()])).toBe(text.trim())
        }
      }),
    )
    expect(joinParts(cutWords('a b c'), [0, 2])).toBe('a c')
  })
})
