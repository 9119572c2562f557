import { describe, expect, it } from 'vitest'
import { KeyNumbers } from './key-numbers.ts'

const key = { file: 'a.jsonl', id: 'T1', variant: 'v', run: 1 }

describe('KeyNumbers', () => {
  it('numbers keys in the order in which they are added, whatever differs', () => {
    const keys = [
      key,
      { ...key, id: 'T2' },
      { ...key, run: 2 },
      { ...key, variant: 'w' },
      { ...key, file: 'b' },
    ]
    const numbers = new KeyNumbers()
    expect(keys.map((each) => numbers.add(each))).toEqual([0, 1, 2, 3, 4])
    expect(keys.map((each) => numbers.find(each))).toEqual([0, 1, 2, 3, 4])
    expect(keys.map((_, number) => numbers.key(number))).toEqual(keys)
    expect(numbers.size).toBe(5)
  })

  it('does not number a key twice', () => {
    const numbers = new KeyNumbers()
    numbers.add(key)
    numbers.add({ ...key, file: 'b' })
    expect(numbers.add(key)).toBe(0)
    expect(numbers.size).toBe(2)
  })

  it('does not know a key that was not added', () => {
    const numbers = new KeyNumbers()
    numbers.add(key)
    expect(numbers.find({ ...key, run: 2 })).toBeUndefined()
    expect(numbers.find({ ...key, id: 'T2' })).toBeUndefined()
    expect(() => numbers.key(1)).toThrow('no key has the number 1')
  })
})
