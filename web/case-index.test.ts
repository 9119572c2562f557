import { describe, expect, it } from 'vitest'
import { indexCases } from './case-index.ts'
import { createRow } from './row.fixture.ts'

describe('indexCases', () => {
  const rows = [
    createRow({ id: 'a', run: 1, outcome: 'failed', retrying: true }),
    createRow({ id: 'a', run: 1, attempt: 2 }),
    createRow({ id: 'a', run: 2 }),
    createRow({ id: 'a', variant: 'support@small' }),
    createRow({ id: '__proto__' }),
  ]
  const { groups, ofRow, ofId } = indexCases(rows)

  it('has the group of every row, including earlier attempts', () => {
    const [first, second, third] = groups
    expect([...rows.keys()].map((position) => ofRow.get(position))).toEqual([
      first,
      first,
      first,
      second,
      third,
    ])
  })

  it('has the groups of every id, even __proto__', () => {
    expect(ofId.get('a')).toEqual(groups.slice(0, 2))
    expect(ofId.get('__proto__')).toEqual(groups.slice(2))
    expect(ofId.get('b')).toBeUndefined()
  })
})
