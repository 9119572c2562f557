import { describe, expect, it } from 'vitest'
import { collectOffers } from './choices.ts'
import { createRow } from './row.fixture.ts'

describe('the choices of a filter', () => {
  it('are counted, the most frequent first', () => {
    const rows = [
      createRow({ tags: ['slow'], file: 'a.jsonl' }),
      createRow({ tags: ['smoke', 'slow'], file: 'b.jsonl', outcome: 'failed', kind: 'timeout' }),
    ]
    expect(collectOffers(rows)).toEqual({
      tag: {
        values: [
          ['slow', 2],
          ['smoke', 1],
        ],
        others: 0,
      },
      variant: { values: [['support@large', 2]], others: 0 },
      file: {
        values: [
          ['a.jsonl', 1],
          ['b.jsonl', 1],
        ],
        others: 0,
      },
      kind: { values: [['timeout', 1]], others: 0 },
    })
  })

  it('are limited to what a list can show, and the rest is counted', () => {
    const rows = Array.from({ length: 50_000 }, (_, index) => createRow({ tags: [`tag ${index}`, 'common'] }))
    const { values, others } = collectOffers(rows).tag
    expect(values).toHaveLength(200)
    expect(values[0]).toEqual(['common', 50_000])
    expect(others).toBe(49_801)
  })

  it('do not include attempts that no longer count, or kinds of skipped results', () => {
    const rows = [
      createRow({ tags: ['gone'], kind: 'timeout', outcome: 'failed', retrying: true }),
      createRow({ kind: 'skipped', outcome: 'skipped' }),
    ]
    expect(collectOffers(rows)).toMatchObject({ tag: { values: [] }, kind: { values: [] } })
  })
})
