import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPen, wantsColour } from './pen.ts'
import { oneLine, printable, printableJson } from './printable.ts'

const dangerous = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200e\u200f]/

describe('printableJson', () => {
  it('is JSON that the terminal shows as it is', () => {
    expect(printableJson({ value: 'a\u202eb\u001b' })).toBe('{"value":"a\\u202eb\\u001b"}')
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = printableJson({ text: `${text}\u{e0041}\u009b\u2066` })
        expect(printable(shown)).toBe(shown)
        expect(JSON.parse(shown)).toEqual({ text: `${text}\u{e0041}\u009b\u2066` })
      }),
    )
  })
})

describe('printable', () => {
  it('escapes characters that control the terminal', () => {
    expect(printable('\u001b[31mred\u001b]0;title\u0007')).toBe('\\x1b[31mred\\x1b]0;title\\x07')
    expect(printable('a\u202Eb')).toBe('a\\u{202e}b')
    expect(printable('over\rwrite')).toBe('over\\x0dwrite')
  })

  it('keeps accents, CJK, emoji, tabs and line breaks', () => {
    const text = 'Zoë 你好 👋🏽 👩‍💻\tx\ny'
    expect(printable(text)).toBe(text)
  })

  it('never lets a control character through', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !dangerous.test(printable(text))))
  })

  it('oneLine joins lines and shortens the text', () => {
    expect(oneLine('a\n  b\tc')).toBe('a ⏎ b c')
    expect(oneLine('x'.repeat(500), 10)).toBe(`${'x'.repeat(10)}…`)
    expect(oneLine('👋'.repeat(50), 9)).toBe(`${'👋'.repeat(4)}…`)
  })
})

describe('a pen', () => {
  it('escapes the values in a line and keeps its own colours', () => {
    const pen = createPen(true)
    expect(pen.line`${pen.red('\u001b[2J')} ${'\u001b'}`.text).toBe('\u001b[31m\\x1b[2J\u001b[39m \\x1b')
    expect(createPen(false).red('x').text).toBe('x')
  })

  it('uses colour as the environment asks for', () => {
    const tty = { isTTY: true }
    expect(wantsColour(tty, {})).toBe(true)
    expect(wantsColour(tty, { NO_COLOR: '1' })).toBe(false)
    expect(wantsColour(tty, { TERM: 'dumb' })).toBe(false)
    expect(wantsColour({}, {})).toBe(false)
    expect(wantsColour({}, { FORCE_COLOR: '1' })).toBe(true)
    expect(wantsColour({}, { FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false)
  })
})
