import { describe, expect, it } from 'vitest'
import type { TestAssert } from '../../../protocol/testing.ts'
import { failureOf, reasonOf } from '../testing.fixture.ts'

type Ordering = 'Greater' | 'GreaterOrEqual' | 'Less' | 'LessOrEqual'
const names: Ordering[] = ['Greater', 'GreaterOrEqual', 'Less', 'LessOrEqual']

async function holding(left: unknown, right: unknown): Promise<Ordering[]> {
  const reasons = await Promise.all(
    names.map((name) => reasonOf((assert: TestAssert) => assert[name](left, right))),
  )
  return names.filter((_, index) => reasons[index] === undefined)
}

describe('Greater, Less and their equals', () => {
  it.each([
    [2, 1],
    [2n, 1n],
    ['b', 'a'],
    [new Date(2), new Date(1)],
    [Number.POSITIVE_INFINITY, 1],
  ])('order %s above %s', async (more, fewer) => {
    expect(await holding(more, fewer)).toEqual(['Greater', 'GreaterOrEqual'])
    expect(await holding(fewer, more)).toEqual(['Less', 'LessOrEqual'])
  })

  it.each([
    [1, 1],
    ['a', 'a'],
    [1n, 1n],
    [new Date(1), new Date(1)],
  ])('treat %s and %s as equal', async (left, right) => {
    expect(await holding(left, right)).toEqual(['GreaterOrEqual', 'LessOrEqual'])
  })

  it.each([
    [2, '1'],
    [2n, 1],
    [Number.NaN, 1],
    [1, Number.NaN],
    [new Date(Number.NaN), new Date(1)],
    [new Date(2), 1],
    [undefined, 1],
    [null, 0],
    [[2], [1]],
    [true, false],
    [{}, {}],
  ])('all fail for %s and %s', async (left, right) => {
    expect(await holding(left, right)).toEqual([])
  })

  it('explain a failure', async () => {
    expect(await failureOf(({ Greater }) => Greater(3, 5))).toMatchObject({
      reason: '3 is not greater than 5',
      expected: 'greater than 5',
      actual: 3,
    })
    expect(await reasonOf(({ LessOrEqual }) => LessOrEqual(3, 2))).toBe('3 is not less than or equal to 2')
    expect(await reasonOf(({ Less }) => Less(3, '5'))).toBe(
      '3 (a number) and "5" (a string) cannot be compared: both must be numbers, strings, bigints or Dates',
    )
  })
})
