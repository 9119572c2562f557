import { expect, it } from 'vitest'
import { judge, verdict } from './conversation.fixture.ts'

const anyOf = (...values: string[]) => ({
  type: 'any_of',
  assertions: values.map((value) => ({ type: 'contains', value })),
})

it('passes if one assertion passes, and names it', async () => {
  expect(await verdict(anyOf('x', 'b'), 'a b')).toBe('passed: 1 of 2 passed: contains: output contains "b"')
})

it('fails if all assertions fail', async () => {
  expect(await verdict(anyOf('x', 'y'), 'a b')).toBe(
    'failed: 0 of 2 passed, expected at least 1: contains: output does not contain "x"; ' +
      'contains: output does not contain "y"',
  )
})

it('is unknown if the assertions that could pass cannot be judged', async () => {
  const assertions = [
    { type: 'contains', value: 'x' },
    { type: 'tool_not_called', name: 'pay' },
  ]
  expect(await judge({ type: 'any_of', assertions }, { output: 'a', calls: 'hidden' })).toMatchObject({
    status: 'unknown',
    reason: expect.stringMatching(
      /^0 of 2 passed, expected at least 1; not judged: tool_not_called: the agent hides/,
    ),
  })
})
