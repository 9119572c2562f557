import { describe, expect, it } from 'vitest'
import { KeyNumbers } from './columns/key-numbers.ts'
import { ResultPlan } from './planned-results.ts'

const one = { file: 'a.jsonl', id: 'T1', variant: 'v', run: 1 }
const other = { ...one, id: 'T2' }

describe('ResultPlan', () => {
  it('finds a key only with the hash of its case', () => {
    const plan = new ResultPlan()
    plan.set(one, 'new')
    expect(plan.find(one, 'new')).toBe(0)
    expect(plan.find(one, 'old')).toBeUndefined()
    expect(plan.find(other, 'new')).toBeUndefined()
    plan.set(one, 'newer')
    expect(plan.hash(one)).toBe('newer')
    expect(plan.size).toBe(1)
  })

  it('keeps the numbers of the others when a key leaves it', () => {
    const plan = new ResultPlan()
    plan.set(one, 'h')
    plan.set(other, 'h')
    plan.delete(one)
    plan.delete(one)
    expect([...plan.keys()]).toEqual([{ number: 1, key: other }])
    expect([plan.size, plan.has(one), plan.hash(one)]).toEqual([1, false, undefined])
  })

  it('does not mix with another one that shares its numbers', () => {
    const keys = new KeyNumbers()
    const [written, finished] = [new ResultPlan(keys), new ResultPlan(keys)]
    written.set(one, 'h')
    finished.set(other, 'h')
    expect([...written.keys()].map(({ key }) => key)).toEqual([one])
    expect([...finished.keys()].map(({ key }) => key)).toEqual([other])
  })
})
