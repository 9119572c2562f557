import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderDiff } from './diff.ts'

const numbered = (word: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${word} ${index}`).join('\n')

describe('renderDiff', () => {
  it('says nothing of values short enough to read side by side, and of equal ones', () => {
    expect(renderDiff('draft', 'submitted')).toBeUndefined()
    expect(renderDiff(1, null)).toBeUndefined()
    expect(renderDiff({ a: 1, b: 2 }, { b: 2, a: 1 })).toBeUndefined()
  })

  it('compares data as JSON with sorted keys, a line each', () => {
    expect(renderDiff({ status: 'submitted', amount: 1 }, { amount: 1, status: 'draft', id: 7 })).toEqual([
      '  {',
      '    "amount": 1,',
      '-   "status": "submitted"',
      '+   "id": 7,',
      '+   "status": "draft"',
      '  }',
    ])
  })

  it('does not take a comma for a change of data', () => {
    expect(renderDiff({ a: 1 }, { a: 1, b: 2 })?.filter((line) => !line.startsWith('  '))).toEqual([
      '+   "b": 2',
    ])
  })

  it('compares texts of several lines by lines', () => {
    expect(renderDiff('one\ntwo\nthree', 'one\n2\nthree')).toEqual(['  one', '- two', '+ 2', '  three'])
  })

  it('shows short lines whole', () => {
    expect(renderDiff('What type of expense would you like to submit?', 'How much was the expense?')).toEqual(
      ['- What type of expense would you like to submit?', '+ How much was the expense?'],
    )
  })

  it('compares long lines by words, with what stands around the change', () => {
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

  it('leaves out what is far from any change', () => {
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

  it('shows something of both sides when all is different', () => {
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

  it('gives few lines with one of three beginnings for any two values', () => {
    const value = fc.oneof(fc.jsonValue(), fc.string({ size: 'medium' }), fc.lorem({ maxCount: 200 }))
    fc.assert(
      fc.property(value, value, (expected, actual) => {
        const lines = renderDiff(expected, actual) ?? []
        expect(lines.length).toBeLessThanOrEqual(40)
        for (const line of lines) expect(line).toMatch(/^(- |\+ | {2})[^\n]*$/)
      }),
    )
  })

  // An algorithm that is not made for these takes minutes: the test would time out.
  it('does not keep a report waiting for hostile texts', () => {
    const random = (seed: number) =>
      Array.from({ length: 200_000 }, (_, index) => ((index * seed) % 97).toString(36)).join(' ')
    renderDiff(random(31), random(57))
    renderDiff(random(31).replaceAll(' ', '\n'), random(57).replaceAll(' ', '\n'))
  })
})
