import { describe, expect, it } from 'vitest'
import { divideByHash, divideByTime, hashDivision } from './divide.ts'
import type { CaseEntry } from './entry.ts'

function conversation(id: string, file = 'cases.jsonl'): CaseEntry {
  return { id, file, line: 1, hash: 'h', tags: [], at: { bytes: [0, 1] } }
}

function test(id: string, file = 'own_test.ts'): CaseEntry {
  return { id, file, line: 1, hash: 'h', tags: [], at: { script: id } }
}

const many = Array.from({ length: 1000 }, (_, number) => conversation(`case-${number}`))

describe('cases that are divided by hash', () => {
  it('are about as many in every shard', () => {
    const division = divideByHash(8)
    const counts = Array.from({ length: 8 }, () => 0)
    for (const entry of many) counts[division(entry) - 1] = (counts[division(entry) - 1] ?? 0) + 1
    expect(counts.reduce((sum, count) => sum + count)).toBe(1000)
    expect(Math.min(...counts)).toBeGreaterThan(90)
    expect(Math.max(...counts)).toBeLessThan(160)
  })

  it('are divided in the same way by every version of viva', () => {
    const division = divideByHash(8)
    expect(['a', 'b', 'c', 'd'].map((id) => division(conversation(id)))).toEqual([8, 2, 4, 8])
  })

  it('keep their shard whatever their content, and may change it with their file', () => {
    const division = divideByHash(1000)
    expect(division({ ...conversation('a'), hash: 'other', line: 7 })).toBe(division(conversation('a')))
    expect(division(conversation('a', 'more.jsonl'))).not.toBe(division(conversation('a')))
  })

  it('stay together if they are tests of one script file', () => {
    const division = divideByHash(100)
    expect(new Set(['A', 'B', 'C', 'D'].map((id) => division(test(id)))).size).toBe(1)
  })
})

describe('cases that are divided by time', () => {
  const times: Record<string, number> = { slow: 9000, a: 4000, b: 3000, c: 2000 }
  const timeOf = ({ id }: CaseEntry) => times[id]
  const divided = (entries: CaseEntry[], of: number) => {
    const division = divideByTime(entries, of, timeOf)
    return entries.map((entry) => `${entry.id} ${division(entry)}`)
  }

  it('fill the shards with the longest first', () => {
    const entries = ['a', 'b', 'c', 'slow'].map((id) => conversation(id))
    expect(divided(entries, 2)).toEqual(['a 2', 'b 2', 'c 2', 'slow 1'])
    expect(divided(entries, 3)).toEqual(['a 2', 'b 3', 'c 3', 'slow 1'])
  })

  it('are divided in the same way in any order', () => {
    const entries = many.slice(0, 50)
    const one = divideByTime(entries, 4, () => 1000)
    const other = divideByTime(entries.toReversed(), 4, () => 1000)
    expect(entries.map(one)).toEqual(entries.map(other))
  })

  it('count as a typical case if they were never run', () => {
    const entries = ['a', 'b', 'c', 'new', 'newer'].map((id) => conversation(id))
    expect(divided(entries, 2)).toEqual(['a 1', 'b 2', 'c 2', 'new 2', 'newer 1'])
  })

  it('count as many if they are tests of one script file, which stay together', () => {
    const tests = ['one', 'two', 'three'].map((id) => test(id))
    expect(divided([conversation('a'), ...tests, conversation('b')], 2)).toEqual([
      'a 2',
      'one 1',
      'two 1',
      'three 1',
      'b 2',
    ])
  })

  it('leave shards empty if there are too few of them', () => {
    expect(divided([conversation('a'), conversation('b')], 5)).toEqual(['a 1', 'b 2'])
  })
})

describe('the hash of a division', () => {
  it('differs as soon as one case is in another shard', () => {
    const hash = (moved: string) =>
      hashDivision(many, (entry) => (entry.id === moved ? 2 : divideByHash(8)(entry)))
    expect(hash('case-1')).toBe(hash('case-1'))
    expect(hash('case-1')).not.toBe(hash('case-2'))
  })
})
