import { describe, expect, it } from 'vitest'
import { computePassRate, variantRates } from './pass-rates.ts'
import { createRow } from './row.fixture.ts'

describe('pass rates', () => {
  it('count only judged results', () => {
    const rows = (['passed', 'passed', 'passed', 'failed', 'broken', 'skipped'] as const).map((outcome) =>
      createRow({ outcome }),
    )
    expect(computePassRate(rows)).toMatchObject({ text: '75% (3 of 4)', whole: 6 })
  })

  it('include every variant with results, and no others', () => {
    const rows = [
      createRow({ variant: 'scripts' }),
      createRow({ variant: 'small', outcome: 'failed' }),
      createRow({ variant: 'large' }),
    ]
    const rates = variantRates(rows, ['large', 'small', 'never played'])
    expect(rates.map(({ variant, text }) => [variant, text])).toEqual([
      ['large', '100% (1 of 1)'],
      ['small', '0% (0 of 1)'],
      ['scripts', '100% (1 of 1)'],
    ])
  })

  it('are only counts if the results are not of a live run', () => {
    const rows = [createRow({ origin: 'graded' }), createRow({ origin: 'graded', outcome: 'failed' })]
    expect(computePassRate(rows)).toMatchObject({ text: '1 of 2', isCount: true })
  })
})
