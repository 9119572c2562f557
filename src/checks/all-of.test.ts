import { expect, it } from 'vitest'
import { verdict } from './conversation.fixture.ts'

const allOf = (...values: string[]) => ({
  type: 'all_of',
  assertions: values.map((value) => ({ type: 'contains', value })),
})

// The behaviour that all groups share is tested in group.test.ts.
it('passes when every assertion passes', async () => {
  expect(await verdict(allOf('a', 'b'), 'a b')).toBe(
    'passed: 2 of 2 passed: contains: output contains "a"; contains: output contains "b"',
  )
})

it('names the assertions that failed', async () => {
  expect(await verdict(allOf('a', 'x', 'y'), 'a b')).toBe(
    'failed: 1 of 3 passed: contains: output does not contain "x"; contains: output does not contain "y"',
  )
  expect(await verdict(allOf('1', '2', '3', '4', '5'), 'a')).toMatch(/; and 2 more$/)
})
