import { describe, expect, it } from 'vitest'
import { HashColumn } from './hash-column.ts'

describe('HashColumn', () => {
  it.each([
    '0123456789abcdef',
    'fedcba9876543210',
    '00000000ffffffff',
    'ffffffff00000000',
    '0000000000000000',
    'ABCDEF0123456789',
    'hash of a test',
    '',
  ])('returns %j as it was set', (hash) => {
    const column = new HashColumn()
    column.set(40, hash)
    expect(column.get(40)).toBe(hash)
    expect(column.has(40)).toBe(true)
  })

  it('has nothing at a place where none was set or it was deleted', () => {
    const column = new HashColumn()
    column.set(0, '0123456789abcdef')
    column.set(1, 'other')
    column.delete(0)
    column.delete(1)
    for (const place of [0, 1, 1000]) {
      expect(column.get(place)).toBeUndefined()
      expect(column.has(place)).toBe(false)
    }
  })

  it('replaces hashes of either form by the other', () => {
    const column = new HashColumn()
    column.set(0, 'other')
    column.set(0, '0123456789abcdef')
    expect(column.get(0)).toBe('0123456789abcdef')
    column.set(0, 'other')
    expect(column.get(0)).toBe('other')
  })
})
