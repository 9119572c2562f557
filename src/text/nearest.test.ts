import { describe, expect, it } from 'vitest'
import { nearest } from './nearest.ts'

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
    expect(nearest(word, known)).toBe(expected)
  })

  it('is undefined when no word is near', () => {
    expect(nearest('colour', known)).toBeUndefined()
    expect(nearest('x', known)).toBeUndefined()
  })

  it('is never the word itself', () => {
    expect(nearest('turns', known)).toBeUndefined()
    expect(nearest('assert', known)).toBe('assertions')
  })
})
