import { describe, expect, it } from 'vitest'
import { failureOf, reasonOf } from '../testing.fixture.ts'

const family = '👩‍👩‍👧‍👦'

describe('Len', () => {
  it.each([
    ['abc', 3],
    ['', 0],
    [family, 1],
    [`a${family}é`, 3],
    ['e\u0301', 1],
    ['🇨🇭', 1],
    ['日本語', 3],
    ['a\r\nb', 4],
    ['ä\r\nb', 4],
    [[], 0],
    [[1, undefined], 2],
    [new Map([[1, 2]]), 1],
    [new Set([1, 2]), 2],
    [new Uint8Array(4), 4],
  ])('of %j is %i', async (value, length) => {
    expect(await reasonOf(({ Len }) => Len(value, length))).toBeUndefined()
    expect(await reasonOf(({ Len }) => Len(value, length + 1))).toContain(
      `expected a length of ${length + 1}`,
    )
  })

  it('records the two lengths', async () => {
    expect(await failureOf(({ Len }) => Len([1, 2], 3))).toMatchObject({
      reason: 'expected a length of 3, got 2: [1,2]',
      expected: 3,
      actual: 2,
    })
  })

  it.each([5, null, undefined, { length: 2 }, true, () => 0])('fails for %s', async (value) => {
    expect(await reasonOf(({ Len }) => Len(value, 2))).toContain(
      'Len measures strings, arrays, Maps and Sets, got ',
    )
  })

  it.each(['3', -1, 1.5, Number.NaN, undefined, [1]])('needs a length, not %s', async (length) => {
    expect(await reasonOf(({ Len }) => Len('abc', length as number))).toContain(
      'Len needs a length that is a whole',
    )
  })
})
