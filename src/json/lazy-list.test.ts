import { describe, expect, it } from 'vitest'
import { itemAt, LazyList, pickItems } from './lazy-list.ts'

const letters = 'abcdef'
const list = new LazyList(letters.length, (index) => ({ letter: letters.charAt(index) }))
const text = (items: Iterable<{ letter: string }>) => [...items].map(({ letter }) => letter).join('')

describe('LazyList', () => {
  it('makes its items when they are asked for', () => {
    expect(text(list)).toBe(letters)
    expect(list.at(2)).toEqual({ letter: 'c' })
    expect(list.at(2)).not.toBe(list.at(2))
    expect([list.at(-1), list.at(6)]).toEqual([undefined, undefined])
  })

  it('keeps the items that pass a test, even several times', () => {
    const vowels = list.filter(({ letter }) => 'aeiou'.includes(letter))
    expect([text(vowels), vowels.length, vowels.at(1)]).toEqual(['ae', 2, { letter: 'e' }])
    expect(text(vowels.filter(({ letter }) => letter !== 'a'))).toBe('e')
    expect(list.filter(() => true)).toBe(list)
    expect(list.filter(() => false)).toHaveLength(0)
  })

  it('gives items in another order', () => {
    expect(text(pickItems(list, [5, 0, 2]))).toBe('fac')
    expect(text(pickItems([...list], [5, 0, 2]))).toBe('fac')
  })

  it('refuses a place that it does not have', () => {
    expect(() => itemAt(list, 6)).toThrow('a list of 6 has no item 6')
  })
})
