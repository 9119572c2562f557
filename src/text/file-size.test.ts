import { expect, it } from 'vitest'
import { shortSize } from './file-size.ts'

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [999_949, '999.9 kB'],
  [999_950, '1.0 MB'],
  [2_500_000, '2.5 MB'],
])('%d bytes are %s', (bytes, text) => {
  expect(shortSize(bytes)).toBe(text)
})
