import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutStrings } from './cut-strings.ts'

function note(count: number): string {
  return `… (${count} more characters are in the results file)`
}

describe('cutStrings', () => {
  it('returns an equal value when no text is too long', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        expect(cutStrings(value, 10_000)).toEqual(value)
      }),
    )
  })

  it('keeps the start of a long text and counts the rest', () => {
    expect(cutStrings('abcdefghij', 10)).toBe('abcdefghij')
    expect(cutStrings('abcdefghijk', 10)).toBe(`abcdefghij${note(1)}`)
  })

  it('cuts texts at any depth, and nothing else', () => {
    const value = { a: ['long text', 7, null], b: { c: 'long text', d: true }, 'a long key': 'short' }
    expect(cutStrings(value, 5)).toEqual({
      a: [`long ${note(4)}`, 7, null],
      b: { c: `long ${note(4)}`, d: true },
      'a long key': 'short',
    })
  })

  it('does not change the original value', () => {
    const value = { turns: [{ input: 'long text' }] }
    cutStrings(value, 5)
    expect(value).toEqual({ turns: [{ input: 'long text' }] })
  })

  it('never cuts through the middle of a character, and counts accordingly', () => {
    expect(cutStrings('ab👋cd', 3)).toBe(`ab${note(4)}`)
  })

  it('keeps a __proto__ key', () => {
    const value: unknown = JSON.parse('{"__proto__": {"a": "long text"}}')
    expect(JSON.stringify(cutStrings(value, 5))).toBe(`{"__proto__":{"a":"long ${note(4)}"}}`)
  })
})
