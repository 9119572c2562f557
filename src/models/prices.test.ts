import { describe, expect, it } from 'vitest'
import type { ModelUsage, Reply } from '../results/transcript/reply.ts'
import { calculateCost, findPrice, freePrice, priceReply } from './prices.ts'
import { sumUsage } from './reported-usage.ts'

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

describe('the cost of a reply of an agent that calls its models itself', () => {
  const own = { small: { input: 1, output: 1 }, agent: { input: 10, output: 10 } }
  const price = (parts: ModelUsage[], names = ['agent']) => {
    const reply: Reply = { output: '', content: '', messages: [], toolCalls: [], ...sumUsage(parts) }
    return priceReply(reply, { own, names }).usage?.cost
  }
  const million = { inputTokens: 1_000_000, outputTokens: 0 }

  it('is that of its models, each by its price', () => {
    expect(price([{ ...million, model: 'small' }])).toBe(1)
    expect(
      price(
        [
          { ...million, model: 'small' },
          { ...million, model: 'gpt-4o-2024-08-06' },
        ],
        [],
      ),
    ).toBe(3.5)
  })

  it('follows the price of the agent where the config has none of the model', () => {
    expect(price([million])).toBe(10)
    expect(price([{ ...million, model: 'gpt-4o' }])).toBe(10)
    // An agent that is only named like a model has no price.
    expect(price([million], ['gpt-4o'])).toBeUndefined()
  })

  it('is what the agent reports, if it does', () => {
    expect(price([{ ...million, model: 'small', cost: 7 }])).toBe(7)
  })

  it('is unknown if one of its parts is', () => {
    expect(
      price(
        [
          { ...million, model: 'small' },
          { ...million, model: 'other' },
        ],
        [],
      ),
    ).toBeUndefined()
    expect(price([{ model: 'small', inputTokens: 5 }])).toBeUndefined()
    expect(price([])).toBeUndefined()
  })

  it('is nothing for an agent that is free, whatever it reports', () => {
    const reply: Reply = { output: '', content: '', messages: [], toolCalls: [] }
    expect(priceReply(reply, { own: { echo: freePrice }, names: ['echo'] }).usage).toEqual({ cost: 0 })
  })
})
