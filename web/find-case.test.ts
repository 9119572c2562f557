import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indexCases } from './case-index.ts'
import { findCase, linkTo } from './find-case.ts'
import { type CaseLink, noFilters, readHash, writeHash } from './hash-state.ts'
import { outcomes } from './outcomes.ts'
import type { PageRow } from './report-data.ts'
import { createRow } from './row.fixture.ts'

function find(rows: readonly PageRow[], link: CaseLink): number | undefined {
  return findCase(rows, indexCases(rows), link)
}

function link(rows: readonly PageRow[], position: number): CaseLink {
  return linkTo(rows, indexCases(rows), position)
}

/** The link after it went through an address. */
function sent(opened: CaseLink): CaseLink | undefined {
  return readHash(writeHash({ filters: noFilters, sort: 'status', opened })).opened
}

/** Rows with one to three attempts each, of which the last counts, in any order. */
const anyRun: fc.Arbitrary<PageRow[]> = fc
  .uniqueArray(
    fc.record({
      file: fc.constantFrom('a.jsonl', 'b.jsonl'),
      id: fc.constantFrom('T1', 'T2', 'a&b=c #%+/👋'),
      variant: fc.constantFrom('small', 'large'),
      run: fc.integer({ min: 1, max: 3 }),
      outcomes: fc.array(fc.constantFrom(...outcomes), { minLength: 1, maxLength: 3 }),
    }),
    { selector: ({ outcomes: _, ...key }) => JSON.stringify(key) },
  )
  .map((played) =>
    played.flatMap(({ outcomes: attempts, ...key }) =>
      attempts.map((outcome, index) => {
        const retrying = index < attempts.length - 1 ? { retrying: true as const } : {}
        return createRow({ ...key, outcome, attempt: index + 1, ...retrying })
      }),
    ),
  )
  .chain((rows) => fc.shuffledSubarray(rows, { minLength: rows.length }))

describe('a link to a case', () => {
  it('leads back to its row', () => {
    fc.assert(
      fc.property(anyRun, (rows) => {
        for (const position of rows.keys()) expect(find(rows, link(rows, position))).toBe(position)
      }),
    )
  })

  it('leads back to its row after it went through an address', () => {
    fc.assert(
      fc.property(anyRun, (rows) => {
        for (const position of rows.keys()) {
          const opened = sent(link(rows, position))
          expect(opened && find(rows, opened)).toBe(position)
        }
      }),
    )
  })

  it.each<[string, PageRow[], CaseLink]>([
    ['its id if that is enough', [createRow(), createRow({ id: 'T2', file: 'b.jsonl' })], { id: 'T1' }],
    [
      'its file if another file has the same id',
      [createRow(), createRow({ file: 'b.jsonl' })],
      { id: 'T1', file: 'a.jsonl' },
    ],
    [
      'its variant if there are several',
      [createRow(), createRow({ variant: 'support@small' })],
      { id: 'T1', variant: 'support@large' },
    ],
    ['its run if there are several', [createRow(), createRow({ run: 2 })], { id: 'T1', run: 1 }],
    [
      'its run and attempt if a later attempt counts',
      [createRow({ retrying: true }), createRow({ attempt: 2 })],
      { id: 'T1', run: 1, attempt: 1 },
    ],
    [
      'no attempt if it is the one that counts',
      [createRow({ attempt: 2 }), createRow({ retrying: true })],
      { id: 'T1' },
    ],
  ])('names %s', (_, rows, expected) => {
    expect(link(rows, 0)).toEqual(expected)
  })

  it('without a run leads to the worst one', () => {
    const rows = [
      createRow({ run: 1 }),
      createRow({ run: 2, outcome: 'skipped' }),
      createRow({ run: 3, outcome: 'failed' }),
    ]
    expect(find(rows, { id: 'T1' })).toBe(2)
    expect(find(rows, { id: 'T1', run: 2 })).toBe(1)
  })

  it('leads to an attempt that no longer counts only if it names it', () => {
    const rows = [createRow({ outcome: 'failed', retrying: true }), createRow({ attempt: 2 })]
    expect(find(rows, { id: 'T1' })).toBe(1)
    expect(find(rows, { id: 'T1', attempt: 1 })).toBe(0)
  })

  it('finds a run in every matching group', () => {
    const rows = [createRow(), createRow({ file: 'b.jsonl', run: 2 })]
    expect(find(rows, { id: 'T1', run: 2 })).toBe(1)
  })

  it.each<CaseLink>([
    { id: 'T9' },
    { id: 'T' },
    { id: 'T1', file: 'c.jsonl' },
    { id: 'T1', variant: 'support' },
    { id: 'T1', run: 7 },
    { id: 'T1', attempt: 2 },
    { id: '' },
  ])('%j leads nowhere if there is no such result', (wanted) => {
    expect(find([createRow()], wanted)).toBeUndefined()
  })

  it('prefers the exact id to ids that an address cannot distinguish from it', () => {
    const rows = [createRow({ id: 'T\ud83d' }), createRow({ id: 'T\ufffd' })]
    expect(find(rows, link(rows, 1))).toBe(1)
  })

  it('finds an id that an address cannot contain', () => {
    const rows = [createRow({ id: 'T1' }), createRow({ id: 'T\ud83d' })]
    const opened = sent(link(rows, 1))
    expect(opened && find(rows, opened)).toBe(1)
  })
})
