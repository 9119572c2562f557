import { describe, expect, it } from 'vitest'
import { agreementOf } from './kappa.ts'

/** So many pairs of these words. */
function pairs(table: Record<string, number>): [string, string][] {
  return Object.entries(table).flatMap(([words, count]) =>
    Array.from({ length: count }, () => words.split(' ') as [string, string]),
  )
}

describe('agreement', () => {
  it('of 50 labels, 20 + 15 of them alike', () => {
    // pₒ = 35/50 = 0.7; pₑ = 0.5·0.6 + 0.5·0.4 = 0.5; κ = 0.2/0.5 = 0.4
    // error = √(0.7·0.3 / (50·0.25)) = √0.0168 = 0.129615
    const { count, accuracy, kappa } = agreementOf(
      pairs({ 'pass pass': 20, 'pass fail': 5, 'fail pass': 10, 'fail fail': 15 }),
    )
    expect([count, accuracy]).toEqual([50, 0.7])
    expect(kappa?.value).toBeCloseTo(0.4, 10)
    expect(kappa?.low).toBeCloseTo(0.4 - 1.959964 * 0.129615, 5)
    expect(kappa?.high).toBeCloseTo(0.4 + 1.959964 * 0.129615, 5)
  })

  it('of 100 labels with a third answer that is never right', () => {
    // Labels: 50 pass, 50 fail; judge: 48 pass, 43 fail, 9 unknown. pₒ = (45+40)/100 = 0.85
    // pₑ = 0.5·0.48 + 0.5·0.43 = 0.455; κ = 0.395/0.545 = 0.724771; error = √(0.1275 / (100·0.297025)) = 0.0655176
    const { kappa } = agreementOf(
      pairs({
        'pass pass': 45,
        'fail pass': 3,
        'pass fail': 3,
        'fail fail': 40,
        'pass unknown': 2,
        'fail unknown': 7,
      }),
    )
    expect(kappa?.value).toBeCloseTo(0.724771, 6)
    expect(kappa?.low).toBeCloseTo(0.724771 - 1.959964 * 0.0655176, 5)
  })

  it('of 10 labels that are all alike but for one', () => {
    // pₒ = 0.9; pₑ = 0.5·0.6 + 0.5·0.4 = 0.5; κ = 0.8; error = √(0.09/(10·0.25)) = 0.189737; 1.1718 is cut at 1
    const { kappa } = agreementOf(pairs({ 'pass pass': 5, 'fail pass': 1, 'fail fail': 4 }))
    expect(kappa?.value).toBeCloseTo(0.8, 10)
    expect(kappa?.low).toBeCloseTo(0.8 - 1.959964 * 0.189737, 5)
    expect(kappa?.high).toBe(1)
  })

  it('is not known by chance where there is but one word', () => {
    expect(agreementOf(pairs({ 'pass pass': 4 }))).toEqual({ count: 4, accuracy: 1 })
  })

  it('may be worse than chance', () => {
    expect(agreementOf(pairs({ 'pass fail': 5, 'fail pass': 5 })).kappa).toEqual({
      value: -1,
      low: -1,
      high: -1,
    })
  })

  it('of nothing is nothing', () => {
    expect(agreementOf([])).toEqual({ count: 0, accuracy: Number.NaN })
  })
})
