import { describe, expect, it } from 'vitest'
import { callOf, damage, damagedTexts, replyOf } from '../place.fixture.ts'
import { empty } from './empty.ts'

describe('empty', () => {
  it('leaves nothing of a reply', () => {
    const [found] = damage(empty, replyOf({ total: 5 }, callOf('pay')))
    expect(found?.reply).toMatchObject({ content: '', output: '', toolCalls: [] })
  })

  it('finds nothing in an empty reply', () => {
    expect(damagedTexts(empty, ' ')).toEqual([])
  })
})
