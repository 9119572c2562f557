import { describe, expect, it } from 'vitest'
import { countedRows } from './counted-rows.ts'
import { createRow } from './row.fixture.ts'

describe('failed attempts that were to be retried', () => {
  const first = createRow({ id: 'a', run: 1, attempt: 1, outcome: 'failed', retrying: true })

  it('do not count when there is a retry', () => {
    const rows = [first, createRow({ id: 'a', run: 1, attempt: 2 })]
    expect(countedRows(rows)).toEqual(rows)
  })

  it('count if the run ended before the retry', () => {
    const other = createRow({ id: 'a', run: 2 })
    expect(countedRows([other, first])).toEqual([
      other,
      createRow({ id: 'a', run: 1, attempt: 1, outcome: 'failed' }),
    ])
  })
})
