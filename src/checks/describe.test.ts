import { describe, expect, it } from 'vitest'
import { sortedJson, textOrJson } from '../json/json.ts'
import { reasonLine } from '../text/reason-line.ts'
import { listed, show, showApart } from './describe.ts'

describe('show', () => {
  it('writes values as JSON', () => {
    expect(show('a "b"\n')).toBe('"a \\"b\\"\\n"')
    expect(show({ a: [1, null] })).toBe('{"a":[1,null]}')
  })

  it('shortens them, never within a character', () => {
    expect(show('x'.repeat(100), 10)).toBe(`"${'x'.repeat(10)}…"`)
    expect(show({ a: 'x'.repeat(100) }, 10)).toBe('{"a":"xxxx…')
    expect(show('xxx😀😀', 4)).toBe('"xxx…"')
  })
})

describe('showApart', () => {
  it('names the code points of characters that only look the same', () => {
    expect(showApart('Caf\u00e9 A', 'Cafe\u0301 A')).toEqual([
      '"Caf\u00e9 A" (U+00E9)',
      '"Cafe\u0301 A" (U+0065 U+0301)',
    ])
  })

  const start = 'a'.repeat(200)

  it('starts shortly before the first difference of two long values', () => {
    expect(showApart(`${start}x`, `${start}y`)).toEqual([`"…${'a'.repeat(20)}x"`, `"…${'a'.repeat(20)}y"`])
    expect(showApart({ text: start, n: 1 }, { text: start, n: 2 })).toEqual([
      `"…${'a'.repeat(14)}\\",\\"n\\":1}"`,
      `"…${'a'.repeat(14)}\\",\\"n\\":2}"`,
    ])
  })

  it('shows values from the start if their beginnings differ, or if they are equal', () => {
    expect(showApart('right', 'wrong')).toEqual(['"right"', '"wrong"'])
    expect(showApart(`x${start}`, `y${start}`)).toEqual([show(`x${start}`), show(`y${start}`)])
    expect(showApart(start, start)).toEqual([show(start), show(start)])
  })

  it('never cuts within a character', () => {
    const [one] = showApart(`${'😀'.repeat(60)}x`, `${'😀'.repeat(60)}y`)
    expect(one).toMatch(/^"…(?:😀)+x"$/u)
    const [odd] = showApart(`a${'😀'.repeat(60)}x`, `a${'😀'.repeat(60)}y`)
    expect(odd).toMatch(/^"…(?:😀)+x"$/u)
  })
})

describe('listed', () => {
  it('names a few and counts the rest', () => {
    expect(listed(['a', 'b'])).toBe('a, b')
    expect(listed(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more')
  })
})

describe('reasonLine', () => {
  it('leaves no line breaks and no terminal escapes', () => {
    expect(reasonLine('a\r\nb\u001b[31mc\u009bd\u2028e')).toBe('a b [31mc d e')
  })

  it('keeps to a length', () => {
    expect(reasonLine('x'.repeat(10_000)).length).toBeLessThan(510)
  })
})

describe('textOrJson', () => {
  it('keeps text and writes other values as compact JSON', () => {
    expect(textOrJson('a b')).toBe('a b')
    expect(textOrJson({ a: 1 })).toBe('{"a":1}')
    expect(textOrJson(undefined)).toBe('')
  })
})

describe('sortedJson', () => {
  it('has keys that are numbers first, so that hashes of earlier versions stay the same', () => {
    expect(sortedJson({ b: 1, '10': 2, a: 3, '9': 4 })).toBe('{"9":4,"10":2,"a":3,"b":1}')
  })

  it('writes equal objects as the same text', () => {
    expect(sortedJson({ b: { d: 1, c: 2 }, a: 0 })).toBe(sortedJson({ a: 0, b: { c: 2, d: 1 } }))
  })
})
