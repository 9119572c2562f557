import { describe, expect, it } from 'vitest'
import { indexCases } from './case-index.ts'
import { rowOf } from './row.fixture.ts'

describe('indexCases', () => {
  const rows = [
    rowOf({ id: 'a', run: 1, outcome: 'failed', retrying: true }),
    rowOf({ id: 'a', run: 1, attempt: 2 }),
    rowOf({ id: 'a', run: 2 }),
    rowOf({ id: 'a', variant: 'support@small' }),
    rowOf({ id: '__proto__' }),
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
