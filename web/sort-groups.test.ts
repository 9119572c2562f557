import { describe, expect, it } from 'vitest'
import { groupRows } from './group-rows.ts'
import type { PageRow } from './report-data.ts'
import { createRow } from './row.fixture.ts'
import { nextSort, type Sort, sortGroups } from './sort-groups.ts'

function sorted(rows: readonly PageRow[], sort: Sort): string[] {
  return sortGroups(groupRows(rows), sort).map(({ head }) => head.id)
}

function rowsWith<Field extends keyof PageRow>(
  field: Field,
  values: Record<string, PageRow[Field]>,
): PageRow[] {
  return Object.entries(values).map(([id, value]) => createRow({ id, [field]: value }))
}

describe('sortGroups', () => {
  it('puts groups that need attention first', () => {
    const rows = [
      ...rowsWith('outcome', {
        passed: 'passed',
        skipped: 'skipped',
        known: 'known',
        unfinished: 'unfinished',
        broken: 'broken',
        failed: 'failed',
      }),
      createRow({ id: 'flaky', flaky: true }),
    ]
    expect(sorted(rows, 'status')).toEqual([
      'failed',
      'broken',
      'unfinished',
      'known',
      'skipped',
      'flaky',
      'passed',
    ])
  })

  it('keeps the order of the file for equal outcomes', () => {
    const rows = ['T3', 'T1', 'T2'].map((id) => createRow({ id, outcome: 'failed' }))
    expect(sorted(rows, 'status')).toEqual(['T3', 'T1', 'T2'])
  })

  it('uses the worst run of a group', () => {
    const rows = [
      createRow({ id: 'skipped', outcome: 'skipped' }),
      createRow({ id: 'runs' }),
      createRow({ id: 'runs', run: 2, outcome: 'failed' }),
    ]
    expect(sorted(rows, 'status')).toEqual(['runs', 'skipped'])
  })

  it.each<[Sort, string[]]>([
    ['order', ['T10', 'T2', 't3']],
    ['-order', ['t3', 'T2', 'T10']],
    ['id', ['T2', 't3', 'T10']],
    ['-id', ['T10', 't3', 'T2']],
  ])('by %s gives %j', (sort, ids) => {
    expect(sorted(rowsWith('turns', { T10: 1, T2: 1, t3: 1 }), sort)).toEqual(ids)
  })

  it.each<['durationMs' | 'turns' | 'cost', Sort, Sort]>([
    ['durationMs', 'duration', '-duration'],
    ['turns', 'turns', '-turns'],
    ['cost', 'cost', '-cost'],
  ])('by %s sorts by number, not by digits', (field, up, down) => {
    const rows = rowsWith(field, { middle: 9, most: 10, least: 0 })
    expect(sorted(rows, up)).toEqual(['least', 'middle', 'most'])
    expect(sorted(rows, down)).toEqual(['most', 'middle', 'least'])
  })

  it('sorts an unknown cost below zero', () => {
    const rows = [
      createRow({ id: 'free', cost: 0 }),
      createRow({ id: 'unknown' }),
      createRow({ id: 'dear', cost: 1 }),
    ]
    expect(sorted(rows, '-cost')).toEqual(['dear', 'free', 'unknown'])
  })

  it('does not change the original list', () => {
    const groups = groupRows([createRow({ id: 'T2' }), createRow({ id: 'T1' })])
    for (const sort of ['id', '-order'] as const) {
      expect(sortGroups(groups, sort)).not.toEqual(groups)
      expect(groups.map(({ head }) => head.id)).toEqual(['T2', 'T1'])
    }
  })
})

describe('clicks on a column', () => {
  it.each<[string, Sort[]]>([
    ['id', ['id', '-id', 'status', 'id']],
    ['order', ['order', '-order', 'status']],
    ['duration', ['-duration', 'duration', 'status']],
    ['cost', ['-cost', 'cost', 'status']],
    ['turns', ['-turns', 'turns', 'status']],
    ['status', ['status']],
    ['colour', ['status']],
  ])('of %s sort by %j in turn', (field, expected) => {
    let sort: Sort = 'status'
    for (const next of expected) {
      sort = nextSort(sort, field)
      expect(sort).toBe(next)
    }
  })

  it('start again on another column', () => {
    expect(nextSort('-duration', 'cost')).toBe('-cost')
    expect(nextSort('-duration', 'id')).toBe('id')
  })
})
