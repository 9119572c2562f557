import { describe, expect, it } from 'vitest'
import { judge, validationProblems, verdict } from './conversation.fixture.ts'

const equals = (value: unknown, more = {}) => ({ type: 'equals', value, ...more })

describe('equals', () => {
  it('compares text exactly', async () => {
    expect(await verdict(equals('OK'), 'OK')).toBe('passed: output is "OK"')
    expect(await verdict(equals('OK'), 'OK\n')).toBe('failed: output is "OK\\n", expected "OK"')
  })

  it('compares deeply and ignores the order of keys', async () => {
    const value = { a: [1, { x: 1, y: 2 }], b: null }
    expect(await verdict(equals(value), { b: null, a: [1, { y: 2, x: 1 }] })).toMatch(/^passed/)
    expect(await verdict(equals(value), { b: null, a: [{ y: 2, x: 1 }, 1] })).toMatch(/^failed/)
  })

  it.each([
    ['the whole text', '{"need_search": false}'],
    ['a fenced block', 'Here:\n```json\n{"need_search": false}\n```'],
    ['prose', 'I think {"need_search": false} is right.'],
  ])('extracts JSON from %s when the value is not text', async (_place, output) => {
    const result = await judge(equals({ need_search: false }), { output })
    expect(result).toMatchObject({ status: 'passed', actual: { need_search: false } })
  })

  it.each([
    [42, '42'],
    [true, ' true '],
    [null, 'null'],
    [[1, 2], '[1,2]'],
  ])('reads %j in the text %j', async (value, output) => {
    expect(await verdict(equals(value), output)).toMatch(/^passed/)
  })

  it('does not extract JSON when the value is text', async () => {
    expect(await verdict(equals('{"a":1}'), '{"a":1}')).toMatch(/^passed/)
    expect(await verdict(equals('a'), '"a"')).toMatch(/^failed/)
  })

  it('does not convert between numbers and text in data', async () => {
    expect(await verdict(equals({ n: 1 }), { n: '1' })).toBe('failed: output is {"n":"1"}, expected {"n":1}')
    expect(await verdict(equals(5, { path: 'n' }), { n: '5' })).toBe('failed: n is "5", expected 5')
  })

  it('shows the text if it contains no JSON', async () => {
    expect(await verdict(equals({ a: 1 }), 'sorry')).toBe('failed: output is "sorry", expected {"a":1}')
  })

  it('has a fitting reason when negated', async () => {
    expect(await verdict(equals('OK', { negate: true }), 'OK')).toBe(
      'failed: output is "OK", expected anything else',
    )
    expect(await verdict(equals('OK', { negate: true }), 'no')).toBe('passed: output is "no"')
  })

  it('requires a value, which may be null', () => {
    expect(validationProblems({ type: 'equals' })).toEqual(['value: equals needs a "value"'])
    expect(validationProblems({ type: 'equals', value: undefined })).toEqual([
      'value: equals needs a "value"',
    ])
    expect(validationProblems(equals(null))).toEqual([])
  })
})
