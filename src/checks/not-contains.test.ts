import { describe, expect, it } from 'vitest'
import { validationProblems, verdict } from './conversation.fixture.ts'

const notContains = (value: unknown, more = {}) => ({ type: 'not_contains', value, ...more })

describe('not_contains', () => {
  it('is the opposite of contains', async () => {
    expect(await verdict(notContains('error'), 'all fine')).toBe('passed: output does not contain "error"')
    expect(await verdict(notContains('error'), 'an error')).toBe(
      'failed: output contains "error", expected not to contain it',
    )
    expect(await verdict(notContains('error'), ['fatal error: db down'])).toBe(
      'failed: output contains "error", expected not to contain it',
    )
    expect(await verdict(notContains(1), [10])).toMatch(/^passed/)
    expect(await verdict(notContains('b'), ['b'])).toMatch(/^failed/)
    expect(await verdict(notContains('error'), { error: 1 })).toMatch(/^failed/)
  })

  it('has a fitting reason when negated', async () => {
    expect(await verdict(notContains('error', { negate: true }), 'fine')).toBe(
      'failed: output does not contain "error"',
    )
  })

  it('requires a value', () => {
    expect(validationProblems({ type: 'not_contains' })).toEqual(['value: not_contains needs a "value"'])
  })
})
