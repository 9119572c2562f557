import { expect, it } from 'vitest'
import { problemsOf, verdict } from './conversation.fixture.ts'

const endsWith = (value: unknown, more = {}) => ({ type: 'ends_with', value, ...more })

it('looks at the end, exactly', async () => {
  expect(await verdict(endsWith('?'), 'Which type?')).toBe('passed: output ends with "…?"')
  expect(await verdict(endsWith('?!'), 'So be it.')).toBe('failed: output ends with "…t.", expected "?!"')
  expect(await verdict(endsWith('?'), 'Which type?\n')).toMatch(/^failed/)
  expect(await verdict(endsWith('long enough'), 'short')).toMatch(/^failed: output ends with "short"/)
})

it('shows no half of a character', async () => {
  expect(await verdict(endsWith('x'), 'a💩')).toBe('failed: output ends with "…", expected "x"')
})

it('looks at the compact JSON of what is no text, and can leave case aside', async () => {
  expect(await verdict(endsWith('}]'), [{ a: 1 }])).toMatch(/^passed/)
  expect(await verdict(endsWith('BYE', { ignore_case: true }), 'Good bye')).toMatch(/^passed/)
})

it('needs text that is not empty', () => {
  expect(problemsOf({ type: 'ends_with' })).toEqual(['value: ends_with needs a "value" that is text'])
})
