import { expect, it } from 'vitest'
import { validationProblems, verdict } from './conversation.fixture.ts'

const containsAll = (value: unknown, more = {}) => ({ type: 'contains_all', value, ...more })

it('passes with all of the values, and names missing ones', async () => {
  expect(await verdict(containsAll(['a', 'b']), 'a b')).toBe('passed: output contains "a", "b"')
  expect(await verdict(containsAll(['a', 'x', 'y']), 'a b')).toBe('failed: output does not contain "x", "y"')
})

it('compares each value like contains', async () => {
  expect(await verdict(containsAll([1, { a: 1 }]), [1, 2, { a: 1 }])).toMatch(/^passed/)
  expect(await verdict(containsAll(['A', 'b']), 'a B')).toMatch(/^failed/)
  expect(await verdict(containsAll(['A', 'b'], { ignore_case: true }), 'a B')).toMatch(/^passed/)
})

it('is negated as a whole', async () => {
  expect(await verdict(containsAll(['a', 'x'], { negate: true }), 'a')).toMatch(/^passed/)
})

it('requires a list', () => {
  expect(validationProblems(containsAll('a'))).toEqual(['value: contains_all needs a "value" that is a list'])
})
