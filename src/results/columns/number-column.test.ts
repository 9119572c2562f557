import { describe, expect, it } from 'vitest'
import { AmountColumn } from './amount-column.ts'
import { NumberColumn } from './number-column.ts'

describe('NumberColumn', () => {
  it('keeps whole numbers at any place, and 0 where none was set', () => {
    const column = new NumberColumn()
    column.set(3, 2 ** 32 - 1)
    column.add(1000, 2)
    column.add(1000, 3)
    expect([0, 3, 1000, 5000].map((place) => column.get(place))).toEqual([0, 2 ** 32 - 1, 5, 0])
  })
})

describe('AmountColumn', () => {
  it('adds up amounts at any place, and has none where nothing was added', () => {
    const column = new AmountColumn()
    column.add(3, 0)
    column.add(1000, 0.5)
    column.add(1000, 0.25)
    expect([0, 3, 1000, 5000].map((place) => column.get(place))).toEqual([undefined, 0, 0.75, undefined])
  })
})
