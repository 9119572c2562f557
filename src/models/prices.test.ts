import { describe, expect, it } from 'vitest'
import { calculateCost, findPrice, freePrice } from './prices.ts'

describe('the price of a model', () => {
  const own = { 'my-model': { input: 1, output: 2 }, 'gpt-4o': { input: 0.5, output: 0.5 } }

  it('comes from the config before the list', () => {
    expect(findPrice(own, 'gpt-4o')).toEqual({ input: 0.5, output: 0.5 })
    expect(findPrice({}, 'gpt-4o')?.output).toBe(10)
  })

  it('of the connector comes before that of its model', () => {
    expect(findPrice({ ...own, cheap: { input: 0, output: 0.1 } }, 'cheap', 'my-model')?.output).toBe(0.1)
  })

  it.each(['gpt-4o-2024-08-06', 'gpt-4o-latest', 'openai/gpt-4o', 'openrouter/openai/gpt-4o-2024-08-06'])(
    'is found for %s',
    (name) => {
      expect(findPrice(undefined, name)).toEqual(findPrice(undefined, 'gpt-4o'))
    },
  )

  it.each(['gpt-4o-audio', 'gpt-4', 'toString', ''])('is unknown for %j', (name) => {
    expect(findPrice(undefined, name)).toBeUndefined()
  })
})

describe('the cost of a call', () => {
  const price = { input: 2, output: 10, cached_input: 0.5 }

  it('is per million tokens, with cached ones counted separately', () => {
    expect(calculateCost({ inputTokens: 1_000_000, outputTokens: 100_000 }, price)).toBe(3)
    expect(
      calculateCost({ inputTokens: 1_000_000, outputTokens: 0, cachedTokens: 400_000 }, price),
    ).toBeCloseTo(1.4)
    const plain = { input: 2, output: 10 }
    expect(calculateCost({ inputTokens: 1_000_000, outputTokens: 0, cachedTokens: 400_000 }, plain)).toBe(2)
  })

  it('is unknown without a price or tokens, and zero for a free model', () => {
    expect(calculateCost({ inputTokens: 1, outputTokens: 1 }, undefined)).toBeUndefined()
    expect(calculateCost({ inputTokens: 1 }, price)).toBeUndefined()
    expect(calculateCost(undefined, price)).toBeUndefined()
    expect(calculateCost(undefined, freePrice)).toBe(0)
  })
})
