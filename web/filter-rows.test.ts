import { describe, expect, it } from 'vitest'
import { filterGroups, isFiltering } from './filter-rows.ts'
import { groupRows } from './group-rows.ts'
import { type Filters, noFilters } from './hash-state.ts'
import type { PageRow } from './report-data.ts'
import { createRow } from './row.fixture.ts'

/** The positions of the rows that match. */
function shown(rows: readonly PageRow[], filters: Partial<Filters>, found: readonly number[] = []): number[] {
  const groups = filterGroups(rows, groupRows(rows), { ...noFilters, ...filters }, new Set(found))
  return groups.flatMap(({ matching }) => matching)
}

const rows = [
  createRow({
    id: 'T1',
    outcome: 'failed',
    tags: ['smoke', 'slow'],
    kind: 'timeout',
    reason: 'timeout after 30s',
  }),
  createRow({ id: 'T2', outcome: 'failed', tags: ['slow'], kind: 'assertion', name: 'A Refund' }),
  createRow({ id: 'T3', flaky: true, file: 'b.jsonl', opening: 'Where is my parcel?' }),
  createRow({ id: 'T4', unchecked: true, variant: 'support@small' }),
]

describe('filters', () => {
  it.each<[Partial<Filters>, number[]]>([
    [{}, [0, 1, 2, 3]],
    [{ status: ['failed'] }, [0, 1]],
    [{ status: ['failed', 'flaky'] }, [0, 1, 2]],
    [{ status: ['unchecked'] }, [3]],
    [{ status: ['broken'] }, []],
    [{ tag: 'slow' }, [0, 1]],
    [{ tag: 'smo' }, []],
    [{ variant: 'support@small' }, [3]],
    [{ file: 'b.jsonl' }, [2]],
    [{ kind: 'timeout' }, [0]],
    [{ status: ['failed'], tag: 'slow', kind: 'assertion' }, [1]],
    [{ status: ['failed'], file: 'b.jsonl' }, []],
  ])('%j match the rows %j', (filters, positions) => {
    expect(shown(rows, filters)).toEqual(positions)
  })

  it.each<[string, number[]]>([
    ['t2', [1]],
    ['refund', [1]],
    ['AFTER', [0]],
    ['parcel', [2]],
    ['b.jsonl', [2]],
    ['smoke', [0]],
    ['slow t1', [0]],
    ['t1 t2', []],
    ['  refund  ', [1]],
    ['   ', [0, 1, 2, 3]],
  ])('with the query %j match the rows %j', (query, positions) => {
    expect(shown(rows, { query }, [])).toEqual(positions)
  })

  it('also match rows whose conversation has the words', () => {
    expect(shown(rows, { query: 'refund' }, [3])).toEqual([1, 3])
  })

  it('also apply to rows that were found by their conversation', () => {
    expect(shown(rows, { query: 'refund', status: ['failed'] }, [0, 3])).toEqual([0, 1])
  })

  it('ignore rows found by their conversation when there is no query', () => {
    expect(shown(rows, { tag: 'smoke' }, [3])).toEqual([0])
  })

  it('keep a group with matching runs, and say which runs match', () => {
    const runs = [
      createRow({ run: 1 }),
      createRow({ run: 2, outcome: 'failed' }),
      createRow({ run: 3, outcome: 'failed' }),
    ]
    const groups = groupRows(runs)
    expect(filterGroups(runs, groups, { query: '', status: ['failed'] }, new Set())).toEqual([
      { group: groups[0], matching: [1, 2] },
    ])
  })

  it('ignore attempts that no longer count', () => {
    const attempts = [
      createRow({ outcome: 'failed', retrying: true, reason: 'no refund' }),
      createRow({ attempt: 2, flaky: true }),
    ]
    expect(shown(attempts, { status: ['failed'] })).toEqual([])
    expect(shown(attempts, { query: 'refund' })).toEqual([])
  })
})

describe('a page', () => {
  it.each<[Partial<Filters>, boolean]>([
    [{}, false],
    [{ query: 'x' }, true],
    [{ status: ['failed'] }, true],
    [{ tag: 'smoke' }, true],
    [{ variant: 'support@small' }, true],
    [{ file: 'a.jsonl' }, true],
    [{ kind: 'timeout' }, true],
  ])('with %j is filtered: %s', (filters, expected) => {
    expect(isFiltering({ ...noFilters, ...filters })).toBe(expected)
  })
})
