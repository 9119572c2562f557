import { describe, expect, it } from 'vitest'
import { validationProblems, verdict } from './conversation.fixture.ts'

const regex = (pattern: unknown, more = {}) => ({ type: 'regex', pattern, ...more })

describe('regex', () => {
  it('matches anywhere in the output', async () => {
    expect(await verdict(regex('order-\\d+'), 'see order-17, please')).toBe(
      'passed: output matches /order-\\d+/ with "order-17"',
    )
    expect(await verdict(regex('order-\\d+'), 'no such thing')).toBe(
      'failed: output does not match /order-\\d+/',
    )
  })

  it('accepts the pattern as value', async () => {
    expect(await verdict({ type: 'regex', value: '\\d{3}-\\d{4}' }, 'call 555-0199')).toMatch(/^passed/)
  })

  it('supports the flags and classes of Go', async () => {
    expect(await verdict(regex('(?i)HELLO'), 'hello')).toMatch(/^passed/)
    expect(await verdict(regex('(?s)a.b'), 'a\nb')).toMatch(/^passed/)
    expect(await verdict(regex('a.b'), 'a\nb')).toMatch(/^failed/)
    expect(await verdict(regex('(?m)^b$'), 'a\nb')).toMatch(/^passed/)
    expect(await verdict(regex('\\p{Greek}[[:digit:]](?P<x>!)'), 'π3!')).toMatch(/^passed/)
  })

  it('matches the compact JSON of other values', async () => {
    expect(await verdict(regex('"status":"(ok|done)"'), { status: 'done' })).toMatch(/^passed/)
    expect(await verdict(regex('^\\[1,2\\]$'), [1, 2])).toMatch(/^passed/)
  })

  it('has a fitting reason when negated', async () => {
    expect(await verdict(regex('secret', { negate: true }), 'a secret')).toBe(
      'failed: output matches /secret/ with "secret", expected not to match it',
    )
  })

  it.each([
    ['(?=a)b', /RE2 syntax: .*RE2 has no lookaheads, lookbehinds or backreferences/],
    ['(?<!a)b', /RE2 has no lookaheads/],
    ['(a)\\1', /RE2 has no lookaheads/],
    ['[a', /^pattern: the pattern must be in RE2 syntax: missing closing \]: `\[a`$/],
    ['a{1001}', /invalid repeat count/],
  ])('rejects %s before anything is run', (pattern, message) => {
    expect(validationProblems(regex(pattern))).toEqual([expect.stringMatching(message)])
  })

  it('requires exactly one pattern', () => {
    expect(validationProblems({ type: 'regex' })).toEqual(['pattern: regex needs a "pattern"'])
    expect(validationProblems(regex('a', { value: 'b' }))).toEqual([
      'value: "pattern" and "value" are the same',
    ])
    expect(validationProblems({ type: 'regex', value: '(' })).toEqual([
      expect.stringMatching(/^value: .*RE2/),
    ])
    expect(validationProblems(regex(7))).toEqual([expect.stringMatching(/^pattern: .*expected string/)])
  })

  it('takes linear time where a backtracking engine would hang', async () => {
    expect(await verdict(regex('^(a+)+$'), `${'a'.repeat(100_000)}!`)).toMatch(/^failed/)
    expect(await verdict(regex('(a|aa)+(a*)*$'), 'a'.repeat(100_000))).toMatch(/^passed/)
  })
})
