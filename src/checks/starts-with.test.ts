import { expect, it } from 'vitest'
import { validationProblems, verdict } from './conversation.fixture.ts'

const startsWith = (value: unknown, more = {}) => ({ type: 'starts_with', value, ...more })

it('compares the beginning exactly', async () => {
  expect(await verdict(startsWith('Dear'), 'Dear Ada')).toBe('passed: output starts with "Dear…"')
  expect(await verdict(startsWith('Dear'), 'Hello Ada')).toBe(
    'failed: output starts with "Hell…", expected "Dear"',
  )
  expect(await verdict(startsWith('Dear'), ' Dear')).toMatch(/^failed/)
  expect(await verdict(startsWith('Dear'), '')).toBe('failed: output starts with "", expected "Dear"')
})

it('compares the compact JSON of other values', async () => {
  expect(await verdict(startsWith('{"a":1'), { a: 1, b: 2 })).toMatch(/^passed/)
})

it('can ignore case and be negated', async () => {
  expect(await verdict(startsWith('dear', { ignore_case: true }), 'DEAR')).toMatch(/^passed/)
  expect(await verdict(startsWith('a', { negate: true }), 'abc')).toBe(
    'failed: output starts with "a…", expected anything else',
  )
})

it('requires a non-empty text', () => {
  expect(validationProblems(startsWith(['a']))).toEqual(['value: starts_with needs a "value" that is text'])
  expect(validationProblems(startsWith(''))).toEqual(['value: starts_with needs a "value" that is not empty'])
})
