import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Data } from '../../../results/transcript/message.ts'
import { createEntries, createMemory } from './memory.ts'

function memory(values: Data = {}) {
  return { values, ...createMemory(createEntries(values)) }
}

describe('ctx.memory', () => {
  it('keeps values by key, in the data that scripts share', () => {
    const { values, Get, Set: put, Has, Del, GetDel, Keys, Len, Clear } = memory({ old: 1 })
    put('a', { b: [1] })
    expect([Get('a'), Get('old'), Get('nothing')]).toEqual([{ b: [1] }, 1, null])
    expect([Has('a'), Has('nothing'), Len(), Keys()]).toEqual([true, false, 2, ['old', 'a']])
    expect(values).toEqual({ old: 1, a: { b: [1] } })
    expect([GetDel('a'), GetDel('a'), Has('a')]).toEqual([{ b: [1] }, null, false])
    Del('old')
    Del('old')
    expect(values).toEqual({})
    put('c', 1)
    Clear()
    expect([values, Len()]).toEqual([{}, 0])
  })

  it('sees what another script changed in the data meanwhile', () => {
    const { values, Get, Keys, Has } = memory()
    values.later = 1
    expect([Get('later'), Keys()]).toEqual([1, ['later']])
    delete values.later
    expect(Has('later')).toBe(false)
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])(
    'treats a key named %j like any other',
    (key) => {
      const { values, Get, Set: put, Has, Keys, Incr, Push, Del } = memory()
      expect([Get(key), Has(key)]).toEqual([null, false])
      put(key, { admin: true })
      expect([Get(key), Has(key), Keys()]).toEqual([{ admin: true }, true, [key]])
      expect((values as { admin?: boolean }).admin).toBeUndefined()
      Del(key)
      expect([Incr(key), Incr(key, 4), Get(key)]).toEqual([1, 5, 5])
      Del(key)
      expect([Push(key, 'x'), Get(key)]).toEqual([1, ['x']])
      expect(({} as { admin?: boolean }).admin).toBeUndefined()
    },
  )

  it('counts', () => {
    const { Incr, Decr, Set: put, Get } = memory()
    expect([Incr('n'), Incr('n', 5), Decr('n'), Decr('n', 10), Get('n')]).toEqual([1, 6, 5, -5, -5])
    put('text', '5')
    expect(() => Incr('text')).toThrow('ctx.memory: text is not a number')
    expect(Get('text')).toBe('5')
  })
})

describe('a time to live', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('expires a value', () => {
    const { values, Set: put, Get, Has, Keys, Len } = memory()
    put('short', 1, 2)
    put('long', 2)
    vi.advanceTimersByTime(1999)
    expect([Get('short'), Keys()]).toEqual([1, ['short', 'long']])
    vi.advanceTimersByTime(1)
    expect([Has('short'), Get('short'), Keys(), Len()]).toEqual([false, null, ['long'], 1])
    expect(values).toEqual({ long: 2 })
  })

  it('starts again when the value is set again, and ends when it is deleted', () => {
    const { Set: put, Get, Del } = memory()
    put('a', 1, 1)
    put('a', 2, 10)
    put('b', 1, 1)
    put('b', 2)
    put('c', 1, 1)
    Del('c')
    put('d', 1, 0)
    put('e', 1, -1)
    vi.advanceTimersByTime(5000)
    expect(['a', 'b', 'c', 'd', 'e'].map(Get)).toEqual([2, 2, null, 1, 1])
  })
})

describe('a list in ctx.memory', () => {
  const filled = () => memory({ list: ['a', 'b', 'c', 'd'], text: 'abc' })

  it('grows and shrinks at its ends', () => {
    const { Push, Pop, Pull, PullAll, ArrayAll, ArrayLen } = memory()
    expect([Push('list', 'a'), Push('list', ['b', 'c']), Push('list', [['d']])]).toEqual([1, 3, 4])
    expect(ArrayAll('list')).toEqual(['a', 'b', 'c', ['d']])
    expect([Pop('list'), Pull('list', 2), ArrayLen('list')]).toEqual([['d'], ['a', 'b'], 1])
    expect([Pull('list', 9), PullAll('list'), Pop('list'), ArrayLen('list')]).toEqual([['c'], [], null, 0])
  })

  it('is read by index, from both ends', () => {
    const { ArrayGet, ArrayLen, ArrayAll } = filled()
    expect([0, 3, -1, 4, -5].map((index) => ArrayGet('list', index))).toEqual(['a', 'd', 'd', null, null])
    expect([ArrayLen('list'), ArrayLen('nothing'), ArrayAll('nothing')]).toEqual([4, 0, []])
  })

  it('is read in slices, which include their end', () => {
    const { ArraySlice, ArrayPage } = filled()
    expect(ArraySlice('list', 1, 2)).toEqual(['b', 'c'])
    expect(ArraySlice('list', 1, -1)).toEqual(['b', 'c', 'd'])
    expect(ArraySlice('list', 0, -2)).toEqual(['a', 'b', 'c'])
    expect(ArraySlice('list', -2, -1)).toEqual(['c', 'd'])
    expect(ArraySlice('list', 1)).toEqual(['b', 'c', 'd'])
    expect(ArraySlice('list', 9, 12)).toEqual([])
    expect(ArrayPage('list', 1, 3)).toEqual(['a', 'b', 'c'])
    expect(ArrayPage('list', 2, 3)).toEqual(['d'])
    expect(ArrayPage('list', 3, 3)).toEqual([])
  })

  it('is changed only where an item exists', () => {
    const { ArraySet, ArrayAll } = filled()
    ArraySet('list', 1, 'B')
    ArraySet('list', -1, 'D')
    expect(ArrayAll('list')).toEqual(['a', 'B', 'c', 'D'])
    for (const index of [4, -5, 1.5, Number.NaN])
      expect(() => ArraySet('list', index, 'x')).toThrow(`ctx.memory: list has no item ${index}`)
    expect(() => ArraySet('nothing', 0, 'x')).toThrow(RangeError)
  })

  it('keeps an item only once as a set', () => {
    const { AddToSet, ArrayAll } = memory()
    AddToSet('set', { a: 1 })
    AddToSet('set', [{ a: 1 }, 'b', 'b', 1, '1'])
    expect(ArrayAll('set')).toEqual([{ a: 1 }, 'b', 1, '1'])
  })

  it('is refused when the key has another value', () => {
    const { Push, Pop, ArrayAll, Get } = filled()
    for (const work of [() => Push('text', 1), () => Pop('text'), () => ArrayAll('text')])
      expect(work).toThrow('ctx.memory: text is not a list')
    expect(Get('text')).toBe('abc')
  })

  it('is not changed through what was read from it', () => {
    const { ArrayAll, ArraySlice, Pull, Get } = filled()
    ArrayAll('list').push('x')
    ArraySlice('list', 0, -1).push('x')
    Pull('list', 1).push('x')
    expect(Get('list')).toEqual(['b', 'c', 'd'])
  })
})
