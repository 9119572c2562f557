import { describe, expect, it } from 'vitest'
import { findNearest } from './nearest.ts'

const known = ['assert', 'assertions', 'input', 'timeout', 'turns', 'tags']

describe('the nearest known word', () => {
  it.each([
    ['asserts', 'assert'],
    ['assertion', 'assertions'],
    ['inptu', 'input'],
    ['timout', 'timeout'],
    ['turn', 'turns'],
    ['TAGS', 'tags'],
  ])('to %s is %s', (word, expected) => {
    expect(findNearest(word, known)).toBe(expected)
  })

  it.each([
    ['arguments', 'args'],
    ['cmd', 'command'],
    ['tgs', 'tags'],
  ])('to %s is %s, one of which is the abbreviation of the other', (word, expected) => {
    expect(findNearest(word, ['args', 'command', 'tags'])).toBe(expected)
    expect(findNearest('as', ['arguments'])).toBeUndefined()
    expect(findNearest('axs', ['arguments'])).toBeUndefined()
  })

  it('is undefined when no word is near', () => {
    expect(findNearest('colour', known)).toBeUndefined()
    expect(findNearest('x', known)).toBeUndefined()
  })

  it('is never the word itself', () => {
    expect(findNearest('turns', known)).toBeUndefined()
    expect(findNearest('assert', known)).toBe('assertions')
  })
})
