import { describe, expect, it } from 'vitest'
import { passRateOf, variantRates } from './pass-rates.ts'
import { rowOf } from './row.fixture.ts'

describe('pass rates', () => {
  it('count only judged results', () => {
    const rows = (['passed', 'passed', 'passed', 'failed', 'broken', 'skipped'] as const).map((outcome) =>
      rowOf({ outcome }),
    )
    expect(passRateOf(rows)).toMatchObject({ text: '75% (3 of 4)', whole: 6 })
  })

  it('include every variant with results, and no others', () => {
    const rows = [
      rowOf({ variant: 'scripts' }),
      rowOf({ variant: 'small', outcome: 'failed' }),
      rowOf({ variant: 'large' }),
    ]
    const rates = variantRates(rows, ['large', 'small', 'never played'])
    expect(rates.map(({ variant, text }) => [variant, text])).toEqual([
      ['large', '100% (1 of 1)'],
      ['small', '0% (0 of 1)'],
      ['scripts', '100% (1 of 1)'],
    ])
  })
})
