import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareValues, type Difference, type DifferencePart, foldSame } from './difference.ts'
import { wellFormed } from './hash-state.ts'

function textWithout(kind: DifferencePart['kind'], { parts }: Difference): string {
  return parts.flatMap((part) => (part.kind === kind ? [] : [part.text])).join('')
}

/** `a -missing- +unexpected+ b` */
function drawn(difference: Difference | undefined): string {
  const marks = { same: '', missing: '-', unexpected: '+' }
  return (difference?.parts ?? []).map(({ kind, text }) => `${marks[kind]}${text}${marks[kind]}`).join('')
}

const prose = fc
  .array(fc.constantFrom('the', 'cat', 'sat', 'on', 'a', 'mat', ' ', ' ', '\n', '.', '👋'))
  .map((words) => words.join(''))

describe('a difference', () => {
  it('contains both texts completely', () => {
    fc.assert(
      fc.property(prose, prose, (expected, actual) => {
        const difference = compareValues(expected, actual)
        if (difference === undefined) return
        expect(textWithout('unexpected', difference)).toBe(expected)
        expect(textWithout('missing', difference)).toBe(actual)
      }),
    )
  })

  it('never has two parts of the same kind in a row', () => {
    fc.assert(
      fc.property(prose, prose, (expected, actual) => {
        const kinds = (compareValues(expected, actual)?.parts ?? []).map(({ kind }) => kind)
        expect(kinds.filter((kind, index) => kind === kinds[index - 1])).toEqual([])
      }),
    )
  })

  it.each([
    ['the cat sat here', 'the dog sat here', 'the -cat-+dog+ sat here'],
    ['the cat sat', 'the cat sat down', 'the cat sat+ down+'],
    ['the cat sat down', 'the cat down', 'the cat -sat -down'],
    ['one two three four five six', 'one two 3 4 five six', 'one two -three four-+3 4+ five six'],
    ['same', 'same', 'same'],
  ])('between %j and %j is by words', (expected, actual, text) => {
    expect(compareValues(expected, actual)?.by).toBe('words')
    expect(drawn(compareValues(expected, actual))).toBe(text)
  })

  it('between data is by lines, whatever the order of keys', () => {
    const difference = compareValues({ total: 20, city: 'Rome' }, { city: 'Rome', total: 25 })
    expect(difference?.by).toBe('lines')
    expect(drawn(difference)).toBe('{\n  "city": "Rome",\n-  "total": 20\n-+  "total": 25\n+}\n')
  })

  it('between data does not include a trailing comma', () => {
    const difference = compareValues({ hotels: ['a'] }, { hotels: ['a', 'b'], total: 2 })
    expect(drawn(difference)).toBe('{\n  "hotels": [\n    "a",\n+    "b"\n+  ],\n+  "total": 2\n+}\n')
  })

  it('between equal data has no changes', () => {
    const difference = compareValues({ a: [1], b: null }, { b: null, a: [1] })
    expect(difference?.parts.map(({ kind }) => kind)).toEqual(['same'])
  })

  it('between long texts is by lines, including the last one', () => {
    const lines = Array.from({ length: 2000 }, (_, index) => `line ${index}`).join('\n')
    const difference = compareValues(`${lines}\nend`, `${lines}\nstop`)
    expect(difference).toEqual({
      by: 'lines',
      parts: [
        { kind: 'same', text: `${lines}\n` },
        { kind: 'missing', text: 'end\n' },
        { kind: 'unexpected', text: 'stop\n' },
      ],
    })
  })

  it.each<[unknown, unknown]>([
    ['the cat sat on the mat', 'nothing of that kind was said'],
    [
      { a: 'one', b: 'two' },
      { c: 'three', d: 'four' },
    ],
    ['{"a":1}', { a: 1 }],
    [1, 2],
    [null, { a: 1 }],
    [{ a: 1 }, undefined],
    [true, 'true'],
  ])('between %j and %j is undefined', (expected, actual) => {
    expect(compareValues(expected, actual)).toBeUndefined()
  })

  it('is undefined for texts that have only spaces in common', () => {
    expect(compareValues('a                    b', 'c                    d')).toBeUndefined()
  })
})

describe('foldSame', () => {
  it.each<Difference['by']>(['words', 'lines'])('keeps the whole text when folding by %s', (by) => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ' ', '\n', '👋'), maxLength: 600 }), (text) => {
        expect(foldSame(text, by).join('')).toBe(text)
      }),
    )
  })

  it('does not fold a short text', () => {
    expect(foldSame('x'.repeat(240), 'words')).toEqual(['x'.repeat(240), '', ''])
    expect(foldSame('x\n'.repeat(8), 'lines')).toEqual(['x\n'.repeat(8), '', ''])
  })

  it('keeps the start and the end of a long text', () => {
    const text = `${'a'.repeat(80)}${'b'.repeat(100)}${'c'.repeat(80)}`
    expect(foldSame(text, 'words')).toEqual(['a'.repeat(80), 'b'.repeat(100), 'c'.repeat(80)])
    expect(foldSame('1\n2\n3\n4\n5\n6\n7\n8\n9\n', 'lines')).toEqual(['1\n2\n3\n', '4\n5\n6\n', '7\n8\n9\n'])
  })

  it('never cuts through the middle of a character', () => {
    const parts = foldSame(`x${'👋'.repeat(150)}`, 'words')
    expect(parts.map(wellFormed)).toEqual(parts)
  })
})
