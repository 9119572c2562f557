import { describe, expect, it } from 'vitest'
import { countedRows } from './counted-rows.ts'
import { rowOf } from './row.fixture.ts'

describe('attempts that failed and were to be played once more', () => {
  const first = rowOf({ id: 'a', run: 1, attempt: 1, outcome: 'failed', retrying: true })

  it('do not count once they were', () => {
    const rows = [first, rowOf({ id: 'a', run: 1, attempt: 2 })]
    expect(countedRows(rows)).toEqual(rows)
  })

  it('count after all where the run was cut off before', () => {
    const other = rowOf({ id: 'a', run: 2 })
    expect(countedRows([other, first])).toEqual([
      other,
      rowOf({ id: 'a', run: 1, attempt: 1, outcome: 'failed' }),
    ])
  })
})
