import { expect, it } from 'vitest'
import { fitsMasked } from './masked.ts'

it.each([
  ['Book for Kim', 'Book for Kim', true],
  ['Book for Kim', 'Book for [masked]', true],
  ['Book for Kim', '[masked]', true],
  ['Kim and Kim, please', '[masked] and [masked], please', true],
  ['Book for [masked]', 'Book for [masked]', true],
  ['Cancel for Kim', 'Book for [masked]', false],
  ['Book for Kim', 'Book for [masked] now', false],
  ['Book', 'Book[masked]ok', false],
  ['Book for Kim', 'Book for Lee', false],
])('%j fits %j: %s', (text, masked, expected) => {
  expect(fitsMasked(text, masked)).toBe(expected)
})
