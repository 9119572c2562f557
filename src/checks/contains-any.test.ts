import { expect, it } from 'vitest'
import { validationProblems, verdict } from './conversation.fixture.ts'

const containsAny = (value: unknown, more = {}) => ({ type: 'contains_any', value, ...more })

it('passes with one of the values, and names those found', async () => {
  expect(await verdict(containsAny(['x', 'b', 'a']), 'a b')).toBe('passed: output contains "b", "a"')
  expect(await verdict(containsAny(['x', 'y']), 'a b')).toBe('failed: output contains none of "x", "y"')
})

it('compares each value like contains', async () => {
  expect(await verdict(containsAny([{ a: 1 }, 2]), [1, { a: 1 }])).toMatch(/^passed/)
  expect(await verdict(containsAny(['A']), 'a')).toMatch(/^failed/)
  expect(await verdict(containsAny(['A'], { ignore_case: true }), 'a')).toMatch(/^passed/)
})

it('has a fitting reason when negated', async () => {
  expect(await verdict(containsAny(['x'], { negate: true }), 'a')).toBe('passed: output contains none of "x"')
  expect(await verdict(containsAny(['a'], { negate: true }), 'a')).toBe(
    'failed: output contains "a", expected not to contain any of them',
  )
})

it('requires a list', () => {
  for (const value of [undefined, 'a', []]) {
    expect(validationProblems(containsAny(value))).toEqual([
      'value: contains_any needs a "value" that is a list',
    ])
  }
})
