import { expect, it } from 'vitest'
import { validationProblems, verdict } from './conversation.fixture.ts'

const endsWith = (value: unknown, more = {}) => ({ type: 'ends_with', value, ...more })

it('compares the end exactly', async () => {
  expect(await verdict(endsWith('?'), 'Which type?')).toBe('passed: output ends with "…?"')
  expect(await verdict(endsWith('?!'), 'So be it.')).toBe('failed: output ends with "…t.", expected "?!"')
  expect(await verdict(endsWith('?'), 'Which type?\n')).toMatch(/^failed/)
  expect(await verdict(endsWith('long enough'), 'short')).toMatch(/^failed: output ends with "short"/)
})

it('does not cut a character in half', async () => {
  expect(await verdict(endsWith('x'), 'a💩')).toBe('failed: output ends with "…", expected "x"')
})

it('compares the compact JSON of other values, and can ignore case', async () => {
  expect(await verdict(endsWith('}]'), [{ a: 1 }])).toMatch(/^passed/)
  expect(await verdict(endsWith('BYE', { ignore_case: true }), 'Good bye')).toMatch(/^passed/)
})

it('requires a non-empty text', () => {
  expect(validationProblems({ type: 'ends_with' })).toEqual(['value: ends_with needs a "value" that is text'])
})
