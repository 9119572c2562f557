import { describe, expect, it } from 'vitest'
import { computeAgreement } from './kappa.ts'

/** Repeats each pair of words as often as the table says. */
function pairs(table: Record<string, number>): [string, string][] {
  return Object.entries(table).flatMap(([words, count]) =>
    Array.from({ length: count }, () => words.split(' ') as [string, string]),
  )
}

function figures(table: Record<string, number>): (number | undefined)[] {
  const { accuracy, kappa } = computeAgreement(pairs(table))
  return [accuracy, kappa?.value, kappa?.low, kappa?.high].map((each) => each && Number(each.toFixed(4)))
}

/** Computed by hand: κ = (pₒ − pₑ)/(1 − pₑ), and the same for Wilson's limits of pₒ. */
describe('agreement', () => {
  it('is computed for 50 labels, 20 + 15 of them equal', () => {
    // pₒ = 35/50 = 0.7, pₑ = 0.5·0.6 + 0.5·0.4 = 0.5, Wilson's limits of pₒ: 0.5625 and 0.8090
    const table = { 'pass pass': 20, 'pass fail': 5, 'fail pass': 10, 'fail fail': 15 }
    expect(figures(table)).toEqual([0.7, 0.4, 0.125, 0.6179])
  })

  it.each([
    // The two tables of the common example: equally many agree, by chance or not (Wikipedia, Cohen's kappa)
    [45, 15, 25, 15, 0.1304],
    [25, 35, 5, 35, 0.2593],
  ])('has the published κ: %i, %i, %i, %i', (both, left, right, neither, published) => {
    const table = { 'yes yes': both, 'yes no': left, 'no yes': right, 'no no': neither }
    expect(computeAgreement(pairs(table)).kappa?.value).toBeCloseTo(published, 3)
  })

  it('is computed for 100 labels with a third answer that is never correct', () => {
    // Labels: 50 pass, 50 fail; judge: 48 pass, 43 fail, 9 unknown. pₒ = 0.85, pₑ = 0.5·0.48 + 0.5·0.43 = 0.455
    const table = {
      'pass pass': 45,
      'fail pass': 3,
      'pass fail': 3,
      'fail fail': 40,
      'pass unknown': 2,
      'fail unknown': 7,
    }
    expect(figures(table)).toEqual([0.85, 0.7248, 0.5728, 0.8292])
  })

  it('is computed for 10 labels of which one differs', () => {
    // pₒ = 0.9, pₑ = 0.5·0.6 + 0.5·0.4 = 0.5, Wilson's limits of pₒ: 0.5958 and 0.9821
    expect(figures({ 'pass pass': 5, 'fail pass': 1, 'fail fail': 4 })).toEqual([0.9, 0.8, 0.1917, 0.9642])
  })

  it('stays uncertain for few labels, even if all are equal', () => {
    expect(figures({ 'pass pass': 5, 'fail fail': 5 })).toEqual([1, 1, 0.4449, 1])
  })

  it('has no κ when there is only one word', () => {
    expect(computeAgreement(pairs({ 'pass pass': 4 }))).toEqual({ count: 4, accuracy: 1 })
  })

  it('may be worse than chance', () => {
    expect(computeAgreement(pairs({ 'pass fail': 50, 'fail pass': 50 })).kappa).toMatchObject({
      value: -1,
      low: -1,
    })
  })

  it('has neither accuracy nor κ without labels', () => {
    expect(computeAgreement([])).toEqual({ count: 0 })
  })
})
