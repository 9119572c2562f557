import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderDiff } from './diff.ts'

const numbered = (word: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${word} ${index}`).join('\n')

describe('renderDiff', () => {
  it('is undefined for equal values and for values short enough to read side by side', () => {
    expect(renderDiff('draft', 'submitted')).toBeUndefined()
    expect(renderDiff(1, null)).toBeUndefined()
    expect(renderDiff({ a: 1, b: 2 }, { b: 2, a: 1 })).toBeUndefined()
  })

  it('compares data as JSON with sorted keys, one per line', () => {
    expect(renderDiff({ status: 'submitted', amount: 1 }, { amount: 1, status: 'draft', id: 7 })).toEqual([
      '  {',
      '    "amount": 1,',
      '-   "status": "submitted"',
      '+   "id": 7,',
      '+   "status": "draft"',
      '  }',
    ])
  })

  it('does not report a trailing comma as a change of data', () => {
    expect(renderDiff({ a: 1 }, { a: 1, b: 2 })?.filter((line) => !line.startsWith('  '))).toEqual([
      '+   "b": 2',
    ])
  })

  it('compares texts of several lines line by line', () => {
    expect(renderDiff('one\ntwo\nthree', 'one\n2\nthree')).toEqual(['  one', '- two', '+ 2', '  three'])
  })

  it('shows short lines in full', () => {
    expect(renderDiff('What type of expense would you like to submit?', 'How much was the expense?')).toEqual(
      ['- What type of expense would you like to submit?', '+ How much was the expense?'],
    )
  })

  it('compares long lines word by word, with some context', () => {
    const start = 'Please tell me the amount, the currency and the date of every single receipt that you have'
    expect(renderDiff(`${start} today, thank you.`, `${start} tomorrow, thank you.`)).toEqual([
      '  …nd the date of every single receipt that you have ',
      '- today',
      '+ tomorrow',
      '  , thank you.',
    ])
  })

  it('wraps long texts that have little in common', () => {
    const lines = renderDiff('alpha '.repeat(60), 'beta '.repeat(60)) ?? []
    expect(lines.length).toBeGreaterThan(4)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(120)
  })

  it('omits lines that are far from any change', () => {
    const lines = renderDiff(numbered('line', 100), numbered('line', 100).replace('line 50', 'other'))
    expect(lines).toEqual([
      '  … 47 unchanged lines',
      '  line 47',
      '  line 48',
      '  line 49',
      '- line 50',
      '+ other',
      '  line 51',
      '  line 52',
      '  line 53',
      '  … 46 unchanged lines',
    ])
  })

  it('shows a part of both sides when everything is different', () => {
    const lines = renderDiff(numbered('mine', 100), numbered('yours', 100)) ?? []
    expect(lines.length).toBeLessThanOrEqual(40)
    expect(lines).toContain('- mine 0')
    expect(lines).toContain('+ yours 0')
  })

  it('compares data with text', () => {
    expect(renderDiff({ a: 1 }, 'sorry')).toEqual(['- {', '-   "a": 1', '- }', '+ sorry'])
  })

  it('keeps terminal escapes out', () => {
    expect(renderDiff('a\nb', 'a\n\u001b[31mc')?.join('')).not.toContain('\u001b')
  })

  it('returns at most 40 lines with one of three prefixes for any two values', () => {
    const value = fc.oneof(fc.jsonValue(), fc.string({ size: 'medium' }), fc.lorem({ maxCount: 200 }))
    fc.assert(
      fc.property(value, value, (expected, actual) => {
        const lines = renderDiff(expected, actual) ?? []
        expect(lines.length).toBeLessThanOrEqual(40)
        for (const line of lines) expect(line).toMatch(/^(- |\+ | {2})[^\n]*$/)
      }),
    )
  })

  // Without the limits this takes minutes, and the test would time out.
  it('does not delay the report for hostile texts', () => {
    const random = (seed: number) =>
      Array.from({ length: 200_000 }, (_, index) => ((index * seed) % 97).toString(36)).join(' ')
    renderDiff(random(31), random(57))
    renderDiff(random(31).replaceAll(' ', '\n'), random(57).replaceAll(' ', '\n'))
  })
})
