import { describe, expect, it } from 'vitest'
import { lastSentences } from './sentences.ts'

function texts(reply: string): string[] {
  return lastSentences(reply).map(({ text }) => text)
}

describe('lastSentences', () => {
  it.each([
    ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
    ['Ask Dr. Lee, e.g. at 9.30 or J. Doe.', ['Ask Dr. Lee, e.g. at 9.30 or J. Doe.']],
    ['Well... let me see. Release 1.2.3 is out.', ['Well... let me see.', 'Release 1.2.3 is out.']],
    ['See https://example.com/a?b=c and go.', ['See https://example.com/a?b=c and go.']],
    ['He asked "why?" and left.', ['He asked "why?" and left.']],
    ['"Why?" He left.', ['"Why?"', 'He left.']],
    ['Use `a ? b : c. Or` here. Fine.', ['Use `a ? b : c. Or` here.', 'Fine.']],
    ['好的。您要几张？谢谢！', ['好的。', '您要几张？', '谢谢！']],
    ['Τι θέλετε; Πείτε μου.', ['Τι θέλετε;', 'Πείτε μου.']],
    ['First; Second.', ['First; Second.']],
    ['Sure 👍🏽! **Bold** and ~~gone~~ <b>tags</b>. 🎉', ['Sure !', 'Bold and gone tags.']],
    ['', []],
    ['***\n---\n🎉', []],
  ])('splits %j', (reply, sentences) => {
    expect(texts(reply)).toEqual(sentences)
  })

  it('reports the place: text, list or title', () => {
    const reply = '# Plan\n\n**Steps**\n\nDo this:\n1. Go.\n  - [ ] Stop.\n* Wait'
    expect(lastSentences(reply)).toEqual([
      { text: 'Plan', place: 'title' },
      { text: 'Steps', place: 'title' },
      { text: 'Do this:', place: 'text' },
      { text: 'Go.', place: 'item' },
      { text: 'Stop.', place: 'item' },
      { text: 'Wait', place: 'item' },
    ])
  })

  it('skips code, tables and quotations', () => {
    const reply = '```js\nWhy?\n```js\nHow?\n```\n\n| Who? |\n| --- |\n\n> When?\n\n~~~\nWhat?\n~~~\nDone.'
    expect(texts(reply)).toEqual(['Done.'])
  })

  it('ignores a fence inside a line', () => {
    expect(texts('```inline``` is code.\nIs it?')).toEqual(['```inline``` is code.', 'Is it?'])
  })

  it('reads only the end of a long reply', () => {
    const sentences = texts(`Too far away. ${'So it goes. '.repeat(1000)}Near.`)
    expect(sentences.at(-1)).toBe('Near.')
    expect(sentences).not.toContain('Too far away.')
  })
})
