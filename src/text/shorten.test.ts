import { describe, expect, it } from 'vitest'
import { shortenQuoted } from './shorten.ts'

const long = 'k'.repeat(5000)

describe('shortenQuoted', () => {
  it.each([
    [`unknown key "${long}" in turns[0]`, `unknown key "${'k'.repeat(80)}…" in turns[0]`],
    [`"${'word '.repeat(1000)}" is too long`, `"${'word '.repeat(16)}…" is too long`],
    [`--timeout ${long}: no duration`, `--timeout ${'k'.repeat(80)}…`],
    [`stubs.${long} is missing`, `stubs.${'k'.repeat(74)}… is missing`],
  ])('keeps the words of the message and cuts what is quoted', (message, expected) => {
    expect(shortenQuoted(message)).toContain(expected)
  })

  it('cuts the whole message when it is unclear what was quoted', () => {
    expect(shortenQuoted('a " b '.repeat(5000))).toHaveLength(2001)
  })

  it('does not change a message without long parts', () => {
    const message = `unknown type "a" (${'x, '.repeat(100)}) "b"`
    expect(shortenQuoted(message)).toBe(message)
  })
})
