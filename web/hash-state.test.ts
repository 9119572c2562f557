import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type HashState, noFilters, readHash, wellFormed, writeHash } from './hash-state.ts'
import { statuses } from './outcomes.ts'
import { sorts } from './sort-groups.ts'

const anyText = fc.string({ unit: 'grapheme', minLength: 1 })
const count = fc.integer({ min: 1 })

const anyState: fc.Arbitrary<HashState> = fc
  .record({
    filters: fc.record(
      {
        query: fc.string({ unit: 'grapheme' }),
        status: fc.subarray([...statuses]),
        tag: anyText,
        variant: anyText,
        file: anyText,
        kind: anyText,
      },
      { requiredKeys: ['query', 'status'] },
    ),
    sort: fc.constantFrom(...sorts),
    opened: fc.option(
      fc.record(
        { id: anyText, file: anyText, variant: anyText, run: count, attempt: count },
        { requiredKeys: ['id'] },
      ),
      { nil: undefined },
    ),
  })
  .map(({ opened, ...state }) => (opened === undefined ? state : { ...state, opened }))

const untouched: HashState = { filters: noFilters, sort: 'status' }

function filtersIn(hash: string) {
  return readHash(hash).filters
}

describe('the hash of the page', () => {
  it('restores what was written', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        expect(readHash(writeHash(state))).toEqual(state)
      }),
    )
  })

  it('is not changed by an address', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        const hash = writeHash(state)
        expect(new URL(`https://example.com/${hash}`).hash).toBe(hash === '#' ? '' : hash)
      }),
    )
  })

  it('is empty for the initial page', () => {
    expect(writeHash(untouched)).toBe('#')
  })

  it.each(['', '#', '#&', '#=', '#status', '#status=&q=', '#nonsense=1&constructor=2'])(
    'is the initial state for %j',
    (hash) => {
      expect(readHash(hash)).toEqual(untouched)
    },
  )

  it('is readable', () => {
    const state: HashState = {
      filters: {
        query: 'my refund',
        status: ['failed', 'flaky'],
        tag: 'area:billing',
        file: 'cases/a.jsonl',
      },
      sort: '-cost',
      opened: { id: 'T1', file: 'b.jsonl', variant: 'support@large', run: 2, attempt: 1 },
    }
    expect(writeHash(state)).toBe(
      '#status=failed,flaky&tag=area:billing&file=cases/a.jsonl&q=my+refund&sort=-cost&case=T1&of-file=b.jsonl&of=support@large&run=2&attempt=1',
    )
  })

  it('filters by a file while a case of another file is open', () => {
    const { filters, opened } = readHash('#file=a.jsonl&variant=small&case=T1&of-file=b.jsonl&of=large')
    expect(filters).toMatchObject({ file: 'a.jsonl', variant: 'small' })
    expect(opened).toEqual({ id: 'T1', file: 'b.jsonl', variant: 'large' })
  })

  it('ignores unknown outcomes and orders', () => {
    expect(readHash('#status=failed,furious&sort=colour')).toEqual({
      filters: { query: '', status: ['failed'] },
      sort: 'status',
    })
  })

  it('has every outcome once, in the order of the page', () => {
    expect(filtersIn('#status=passed,failed,passed').status).toEqual(['failed', 'passed'])
  })

  it.each(['0', '-1', '1.5', 'two', 'Infinity', '+'])('ignores %j as the number of a run', (value) => {
    expect(readHash(`#case=T1&run=${value}&attempt=${value}`).opened).toEqual({ id: 'T1' })
  })

  it('opens nothing without a case', () => {
    expect(readHash('#run=2&attempt=1&of=large')).toEqual(untouched)
  })

  it.each([
    ['#q=100%', '100%'],
    ['#q=50%+off', '50% off'],
    ['#q=a=b=c', 'a=b=c'],
    ['#q=a%2Bb%26c', 'a+b&c'],
    ['q=refund', 'refund'],
  ])('typed as %j has the query %j', (hash, query) => {
    expect(filtersIn(hash).query).toBe(query)
  })

  it('replaces lone surrogates and keeps pairs', () => {
    expect(wellFormed('a\ud83d b\udc4b 👋')).toBe('a\ufffd b\ufffd 👋')
    const hash = writeHash({ ...untouched, opened: { id: 'T\ud83d' } })
    expect(readHash(hash).opened).toEqual({ id: 'T\ufffd' })
  })
})
