import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countedRows } from './counted-rows.ts'
import { countTrials, type Group, groupRows } from './group-rows.ts'
import type { Outcome } from './outcomes.ts'
import type { PageRow } from './report-data.ts'
import { createRow } from './row.fixture.ts'

function makeGroup(...rows: PageRow[]): Group {
  const groups = groupRows(rows)
  expect(groups).toHaveLength(1)
  return groups[0] as Group
}

function runsWithOutcomes(...outcomes: Outcome[]): PageRow[] {
  return outcomes.map((outcome, index) => createRow({ outcome, run: index + 1 }))
}

const anyRow = fc
  .record({
    file: fc.constantFrom('a.jsonl', 'b.jsonl'),
    id: fc.constantFrom('T1', 'T2'),
    variant: fc.constantFrom('small', 'large'),
    run: fc.integer({ min: 1, max: 3 }),
    retrying: fc.boolean(),
  })
  .map(({ retrying, ...fields }) => createRow({ ...fields, ...(retrying ? { retrying } : {}) }))

describe('groupRows', () => {
  it('puts each row into exactly one group', () => {
    fc.assert(
      fc.property(fc.array(anyRow).map(countedRows), (rows) => {
        const positions = groupRows(rows).flatMap(({ runs, earlier }) => [...runs, ...earlier])
        expect(positions.sort((left, right) => left - right)).toEqual([...rows.keys()])
      }),
    )
  })

  it('makes groups with at least one run that counts', () => {
    fc.assert(
      fc.property(fc.array(anyRow).map(countedRows), (rows) =>
        groupRows(rows).every(({ runs }) => runs.length > 0),
      ),
    )
  })

  it('separates rows with different file, id or variant', () => {
    const rows = [
      createRow(),
      createRow({ file: 'b.jsonl' }),
      createRow({ id: 'T2' }),
      createRow({ variant: 'support@small' }),
    ]
    expect(groupRows(rows).map(({ runs }) => runs)).toEqual([[0], [1], [2], [3]])
  })

  it('does not confuse ids with quotes and commas in them', () => {
    expect(
      groupRows([createRow({ file: 'a', id: 'b","c' }), createRow({ file: 'a","b', id: 'c' })]),
    ).toHaveLength(2)
  })

  it('keeps the order in which cases first occur', () => {
    const rows = ['T2', 'T1', 'T2', 'T3'].map((id, index) => createRow({ id, run: index + 1 }))
    expect(groupRows(rows).map(({ head }) => head.id)).toEqual(['T2', 'T1', 'T3'])
  })

  it('sorts rows by run, whichever ended first', () => {
    const { runs, head } = makeGroup(createRow({ run: 10 }), createRow({ run: 2 }), createRow({ run: 1 }))
    expect(runs).toEqual([2, 1, 0])
    expect(head.run).toBe(1)
  })

  it('counts the last attempt and keeps earlier ones separately', () => {
    const group = makeGroup(
      createRow({ outcome: 'failed', attempt: 1, retrying: true, durationMs: 900, cost: 7 }),
      createRow({ outcome: 'passed', attempt: 2, flaky: true, durationMs: 100, cost: 1 }),
    )
    expect(group).toMatchObject({
      runs: [1],
      earlier: [0],
      worst: 'passed',
      flaky: true,
      durationMs: 100,
      cost: 1,
    })
  })

  it.each<[Outcome[], Outcome]>([
    [['passed', 'passed'], 'passed'],
    [['passed', 'skipped'], 'skipped'],
    [['skipped', 'known'], 'known'],
    [['known', 'unfinished'], 'unfinished'],
    [['unfinished', 'broken'], 'broken'],
    [['broken', 'failed', 'passed'], 'failed'],
  ])('of %j has the worst outcome %s', (outcomes, worst) => {
    expect(makeGroup(...runsWithOutcomes(...outcomes)).worst).toBe(worst)
  })

  it('makes a flaky group when one run is flaky', () => {
    expect(makeGroup(createRow(), createRow({ run: 2, flaky: true })).flaky).toBe(true)
    expect(makeGroup(createRow(), createRow({ run: 2 })).flaky).toBe(false)
  })

  it('has the mean duration, cost and turns of the runs', () => {
    const group = makeGroup(
      createRow({ durationMs: 100, cost: 0.25, turns: 1 }),
      createRow({ run: 2, durationMs: 300, cost: 0.5, turns: 4 }),
    )
    expect(group).toMatchObject({ durationMs: 200, cost: 0.375, turns: 2.5 })
  })

  it('has no cost when that of one run is unknown', () => {
    expect(makeGroup(createRow({ cost: 0.25 }), createRow({ run: 2 }))).not.toHaveProperty('cost')
    expect(makeGroup(createRow({ cost: 0 }))).toHaveProperty('cost', 0)
  })
})

describe('the pass rate of a group', () => {
  it.each<[Outcome[], number | undefined]>([
    [['passed', 'passed'], 100],
    [['passed', 'failed', 'passed', 'passed'], 75],
    [['passed', 'known'], 50],
    [['failed'], 0],
    [['passed', 'broken', 'skipped', 'unfinished'], 100],
    [['broken', 'skipped', 'unfinished'], undefined],
  ])('of %j is %s', (outcomes, rate) => {
    const rows = runsWithOutcomes(...outcomes)
    expect(countTrials(rows, makeGroup(...rows))?.rate).toBe(rate)
  })

  it('ignores attempts that no longer count', () => {
    const rows = [createRow({ outcome: 'failed', retrying: true }), createRow({ attempt: 2, flaky: true })]
    expect(countTrials(rows, makeGroup(...rows))?.rate).toBe(100)
  })
})
