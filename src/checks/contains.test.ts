import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { containsValue } from './contains.ts'
import { judge, validationProblems, verdict } from './conversation.fixture.ts'

const contains = (value: unknown, more = {}) => ({ type: 'contains', value, ...more })

describe('contains', () => {
  it('finds text as a plain substring', async () => {
    expect(await verdict(contains('type of expense'), 'What type of expense?')).toBe(
      'passed: output contains "type of expense"',
    )
    expect(await verdict(contains('type of expense'), 'How much?')).toBe(
      'failed: output does not contain "type of expense"',
    )
  })

  it('treats the value as plain text and is case-sensitive', async () => {
    expect(await verdict(contains('.*'), 'anything')).toMatch(/^failed/)
    expect(await verdict(contains('OK'), 'ok')).toMatch(/^failed/)
  })

  it.each([
    [42, 'the answer is 42'],
    [true, 'it is true'],
    [null, 'null and void'],
    [{ a: 1 }, 'here: {"a":1}'],
  ])('looks for the compact JSON of the value %j in text', async (value, output) => {
    expect(await verdict(contains(value), output)).toMatch(/^passed/)
    expect(await verdict(contains(value), 'nothing of the kind')).toMatch(/^failed/)
  })

  it('finds a text in every text and key of data', async () => {
    expect(await verdict(contains('b'), ['a', 'b'])).toMatch(/^passed/)
    expect(await verdict(contains('error'), ['fatal error: db down'])).toMatch(/^passed/)
    expect(await verdict(contains('error'), [{ inner: [{ db_error: 1 }] }])).toMatch(/^passed/)
    expect(await verdict(contains('b'), ['a', { c: 'd' }])).toBe('failed: output does not contain "b"')
  })

  it('finds any other value that equals a member at any depth', async () => {
    expect(await verdict(contains({ x: 1, y: 2 }), [{ y: 2, x: 1 }])).toMatch(/^passed/)
    expect(await verdict(contains(1), { a: [{ b: 1 }] })).toMatch(/^passed/)
    expect(await verdict(contains(1), 1)).toMatch(/^passed/)
    expect(await verdict(contains(1), [10])).toMatch(/^failed/)
    expect(await verdict(contains(1), { a: 10, b: 21 })).toMatch(/^failed/)
    expect(await verdict(contains(1), ['1'])).toMatch(/^failed/)
  })

  it('searches the compact JSON of an object, with and without JSON escapes', async () => {
    const output = { status: 'ok', note: 'say "hi"\nnow' }
    expect(await verdict(contains('"status":"ok"'), output)).toMatch(/^passed/)
    expect(await verdict(contains('say "hi"'), output)).toMatch(/^passed/)
    expect(await verdict(contains('submitted'), output)).toMatch(/^failed/)
  })

  it('finds a nested object with any order of keys', async () => {
    expect(await verdict(contains({ b: 1, a: 2 }), { inner: { a: 2, b: 1 }, z: 0 })).toMatch(/^passed/)
  })

  it('searches numbers, booleans and null by their JSON', async () => {
    expect(await verdict(contains('4'), 42)).toMatch(/^passed/)
    expect(await verdict(contains('tru'), true)).toMatch(/^passed/)
    expect(await verdict(contains('x'), null)).toMatch(/^failed/)
  })

  it('has a fitting reason when negated', async () => {
    expect(await verdict(contains('error', { negate: true }), 'an error')).toBe(
      'failed: output contains "error", expected not to contain it',
    )
    expect(await verdict(contains('error', { negate: true }), 'fine')).toBe(
      'passed: output does not contain "error"',
    )
  })

  it('records the expected and the actual value', async () => {
    const result = await judge(contains('a'), { output: 'bcd' })
    expect(result).toMatchObject({ type: 'contains', expected: 'a', actual: 'bcd', fields: { value: 'a' } })
  })

  it('shortens long values in its reason', async () => {
    const line = await verdict(contains('long '.repeat(1000)), 'x')
    expect(line.length).toBeLessThan(150)
    expect(line).toMatch(/…"$/)
  })

  it('requires a value', () => {
    expect(validationProblems({ type: 'contains' })).toEqual(['value: contains needs a "value"'])
  })

  it('accepts null and false as values', () => {
    expect(validationProblems(contains(null))).toEqual([])
    expect(validationProblems(contains(false))).toEqual([])
  })

  it('finds every piece of a text in it', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (before, value, after) => {
        expect(containsValue(before + value + after, value)).toBe(true)
      }),
    )
  })

  it('finds every member of an array in it', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), fc.nat(), (members, at) => {
        expect(containsValue(members, members[at % members.length])).toBe(true)
      }),
    )
  })

  it('finds every text in an object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string(), { minKeys: 1 }), (record) => {
        for (const value of Object.values(record)) expect(containsValue(record, value)).toBe(true)
      }),
    )
  })
})
