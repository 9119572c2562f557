import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dropSpare, reduceList } from './reduce-list.ts'

async function reduce(count: number, fails: (kept: readonly number[]) => boolean) {
  const asked = new Set<string>()
  const kept = await reduceList(count, async (parts) => {
    asked.add(parts.toSorted((one, other) => one - other).join())
    return fails(parts)
  })
  return { kept, questions: asked.size }
}

const needs = (needed: readonly number[]) => (kept: readonly number[]) =>
  needed.every((part) => kept.includes(part))

describe('reduceList', () => {
  it('few parts of many are found by bisection', async () => {
    const { kept, questions } = await reduce(1000, needs([17, 800]))
    expect(kept).toEqual([17, 800])
    expect(questions).toBeLessThan(30)
  })

  it('where all are needed, about one question is asked for each', async () => {
    const { kept, questions } = await reduce(100, needs([...Array(100).keys()]))
    expect(kept).toHaveLength(100)
    expect(questions).toBeLessThan(210)
  })

  it('of a list without parts, and of one that is not needed, nothing is left', async () => {
    expect((await reduce(0, () => true)).kept).toEqual([])
    expect(await reduce(9, () => true)).toEqual({ kept: [], questions: 1 })
  })

  it('whatever fails, no single part can be left out of the result', async () => {
    const wanted = fc.array(fc.uniqueArray(fc.nat(15), { minLength: 1, maxLength: 5 }), {
      minLength: 1,
      maxLength: 4,
    })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 16 }), wanted, async (count, sets) => {
        const inList = sets.map((set) => set.map((part) => part % count))
        // It fails with all parts of any of the sets: leaving one out may make others unnecessary.
        const fails = (kept: readonly number[]) => inList.some((set) => needs(set)(kept))
        const { kept } = await reduce(count, fails)
        expect(fails(kept)).toBe(true)
        expect(kept).toEqual(kept.toSorted((one, other) => one - other))
        for (const part of kept) expect(fails(kept.filter((each) => each !== part))).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  it('a failure that only some combinations have is still minimal', async () => {
    // Three parts fail together, and any two of them without the third do not, but the first alone does.
    const fails = (kept: readonly number[]) => kept.join() === '0' || needs([0, 1, 2])(kept)
    expect((await reduce(3, fails)).kept).toEqual([0])
    expect(await dropSpare([0, 1], async (kept) => kept.length === 1)).toHaveLength(1)
  })
})
