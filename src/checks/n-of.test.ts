import { expect, it } from 'vitest'
import { validationProblems, verdict } from './conversation.fixture.ts'

const nOf = (n: unknown, ...values: string[]) => ({
  type: 'n_of',
  n,
  assertions: values.map((value) => ({ type: 'contains', value })),
})

it('passes if n or more pass', async () => {
  expect(await verdict(nOf(2, 'a', 'b', 'x'), 'a b')).toMatch(/^passed: 2 of 3 passed: /)
  expect(await verdict(nOf(1, 'a', 'b', 'x'), 'a b')).toMatch(/^passed/)
})

it('fails if fewer than n pass', async () => {
  expect(await verdict(nOf(2, 'a', 'x', 'y'), 'a b')).toBe(
    'failed: 1 of 3 passed, expected at least 2: contains: output does not contain "x"; ' +
      'contains: output does not contain "y"',
  )
})

it('requires an n that can be reached', () => {
  expect(validationProblems(nOf(3, 'a', 'b'))).toEqual(['n: "n" is 3, but there are 2 assertions'])
  expect(validationProblems(nOf(undefined, 'a'))).toEqual(['n: n_of needs "n", a whole number'])
  expect(validationProblems(nOf(0, 'a'))).toHaveLength(1)
})
