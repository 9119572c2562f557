import { describe, expect, it } from 'vitest'
import { findCriterion, reasonWithCriterion } from './criterion.ts'

const polite = 'It is polite'

describe('the criterion of a check', () => {
  it.each<[string, Record<string, unknown>, unknown]>([
    ['judge', { criteria: polite }, polite],
    ['judge', { criteria: [polite, 'It is short'] }, [polite, 'It is short']],
    ['agent', { value: polite }, polite],
    ['agent', { options: { metadata: { criteria: polite } } }, polite],
    ['agent', { use: 'agents:critic' }, undefined],
    ['contains', { value: polite }, undefined],
  ])('of %s with %j is %j', (type, fields, criterion) => {
    expect(findCriterion({ type, fields })).toEqual(criterion)
  })

  it('comes before the reason of the judge', () => {
    const check = { type: 'judge', fields: { criteria: polite }, reason: 'it is rude' }
    expect(reasonWithCriterion(check)).toBe('judge "It is polite": it is rude')
    expect(reasonWithCriterion({ ...check, fields: { criteria: polite, negate: true } })).toBe(
      'not judge "It is polite": it is rude',
    )
  })

  it('is shortened to leave room for the reason', () => {
    const check = { type: 'judge', fields: { criteria: polite.repeat(100) }, reason: 'it is rude' }
    expect(reasonWithCriterion(check)).toMatch(/^judge ".{100,140}…: it is rude$/)
  })

  it('is omitted when the reason already names it, and for other checks', () => {
    const reason = '1 of 2 criteria hold; It is polite: it is rude'
    expect(reasonWithCriterion({ type: 'judge', fields: { criteria: [polite, 'short'] }, reason })).toBe(
      reason,
    )
    expect(reasonWithCriterion({ type: 'contains', fields: { value: 'a' }, reason: 'no a' })).toBe('no a')
  })
})
