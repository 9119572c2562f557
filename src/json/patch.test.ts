import { describe, expect, it } from 'vitest'
import { applyPatch } from './patch.ts'

const value = { order: { items: ['tea'], 'a/b': 1 }, total: 3 }

describe('applyPatch', () => {
  it.each([
    [
      { op: 'add', path: '/order/items/-', value: 'cake' },
      { order: { items: ['tea', 'cake'], 'a/b': 1 }, total: 3 },
    ],
    [
      { op: 'add', path: '/order/items/0', value: 'cake' },
      { order: { items: ['cake', 'tea'], 'a/b': 1 }, total: 3 },
    ],
    [
      { op: 'replace', path: '/order/a~1b', value: 2 },
      { order: { items: ['tea'], 'a/b': 2 }, total: 3 },
    ],
    [
      { op: 'remove', path: '/order/items/0' },
      { order: { items: [], 'a/b': 1 }, total: 3 },
    ],
    [{ op: 'move', from: '/total', path: '/order/total' }, { order: { items: ['tea'], 'a/b': 1, total: 3 } }],
    [
      { op: 'copy', from: '/order/items', path: '/copy' },
      { ...value, copy: ['tea'] },
    ],
    [{ op: 'replace', path: '', value: 7 }, 7],
  ])('applies %j', (operation, expected) => {
    expect(applyPatch(value, [operation])).toEqual(expected)
  })

  it('does not change the value that it is given', () => {
    const given = { list: [1] }
    applyPatch(given, [{ op: 'add', path: '/list/-', value: 2 }])
    expect(given).toEqual({ list: [1] })
  })

  it('stops at copies of copies, which would fill the memory', () => {
    const double = { op: 'copy', from: '', path: '/again' }
    const patched = applyPatch(
      { text: 'x'.repeat(1000) },
      Array.from({ length: 60 }, (_, index) => ({ ...double, path: `/a${index}` })),
    )
    expect(JSON.stringify(patched).length).toBeLessThan(50_000_000)
  })

  it.each([
    [{ op: 'add', path: '/nothing/here/x', value: 1 }],
    [{ op: 'remove', path: '/order/items/9' }],
    [{ op: 'add', path: '/order/items/1000000', value: 1 }],
    [{ op: 'add', path: '/__proto__/polluted', value: 1 }],
    ['no operation'],
  ])('leaves out %j, which does not fit', (operation) => {
    expect(applyPatch(value, [operation])).toEqual(value)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})
