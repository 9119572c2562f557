import { describe, expect, it } from 'vitest'
import { damage, damagedTexts, replyOf } from '../place.fixture.ts'
import { jsonTruncated } from './json-truncated.ts'

describe('json_truncated', () => {
  it('cuts off JSON, also in a fence', () => {
    expect(damagedTexts(jsonTruncated, '{"total": 500, "paid": true}')).toEqual(['{"total": 500, "'])
    expect(damagedTexts(jsonTruncated, 'Here:\n```json\n{"total": 500}\n```\nBye')).toEqual([
      'Here:\n```json\n{"total"',
    ])
  })

  it('makes a text of data', () => {
    const [found] = damage(jsonTruncated, replyOf({ total: 500, paid: true }))
    expect(found?.reply.output).toBe('{"total":500,"p')
  })

  it('finds nothing in a text', () => {
    expect(damagedTexts(jsonTruncated, 'The total is {unknown}')).toEqual([])
  })
})
