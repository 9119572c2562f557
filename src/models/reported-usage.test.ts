import { describe, expect, it } from 'vitest'
import type { Reply } from '../results/transcript/reply.ts'
import { addReportedUsage, readReportedUsage, sumUsage } from './reported-usage.ts'

describe('the usage that an agent reports', () => {
  it.each([
    ['viva', { input_tokens: 10, output_tokens: 2, cached_tokens: 4 }],
    ['viva, as the library writes it', { inputTokens: 10, outputTokens: 2, cachedTokens: 4 }],
    ['the AI SDK 5', { inputTokens: 10, outputTokens: 2, totalTokens: 12, cachedInputTokens: 4 }],
    ['the AI SDK 6', { inputTokens: 10, outputTokens: 2, inputTokenDetails: { cacheReadTokens: 4 } }],
    ['a model of the AI SDK', { inputTokens: { total: 10, cacheRead: 4 }, outputTokens: { total: 2 } }],
    [
      'chat completions',
      { prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } },
    ],
    ['responses', { input_tokens: 10, output_tokens: 2, input_tokens_details: { cached_tokens: 4 } }],
    [
      'Anthropic, which counts the cache apart',
      { input_tokens: 5, output_tokens: 2, cache_read_input_tokens: 4, cache_creation_input_tokens: 1 },
    ],
    ['LangChain', { input_tokens: 10, output_tokens: 2, input_token_details: { cache_read: 4 } }],
  ])('is read in the words of %s', (_, usage) => {
    expect(readReportedUsage(usage)).toEqual([{ inputTokens: 10, outputTokens: 2, cachedTokens: 4 }])
  })

  it('has the model that it names, or that is known otherwise', () => {
    expect(readReportedUsage({ model: 'small', input_tokens: 1 }, 'large')).toMatchObject([
      { model: 'small' },
    ])
    expect(readReportedUsage({ input_tokens: 1 }, 'large')).toMatchObject([{ model: 'large' }])
    expect(readReportedUsage(undefined, 'large')).toEqual([])
  })

  it('is added up, and kept by model', () => {
    const parts = [
      { model: 'small', inputTokens: 1, outputTokens: 2, cost: 0.5 },
      { model: 'large', inputTokens: 10, cost: 0.25 },
    ]
    expect(sumUsage(parts)).toEqual({
      usage: { inputTokens: 11, outputTokens: 2, cost: 0.75 },
      usageByModel: parts,
    })
    expect(sumUsage([{ inputTokens: 1 }, { inputTokens: 2 }])).toEqual({ usage: { inputTokens: 3 } })
    expect(sumUsage([])).toEqual({})
  })

  it('has a cost only if that of each part is known', () => {
    expect(sumUsage([{ cost: 1 }, { inputTokens: 2 }]).usage).toEqual({ inputTokens: 2 })
  })

  it('is added to that of the reply', () => {
    const reply: Reply = { output: '', content: '', messages: [], toolCalls: [], usage: { inputTokens: 1 } }
    const used = [{ model: 'small', inputTokens: 2 }]
    expect(addReportedUsage(reply, used)).toMatchObject({
      usage: { inputTokens: 3 },
      usageByModel: [{ inputTokens: 1 }, { model: 'small', inputTokens: 2 }],
    })
    expect(addReportedUsage(reply, [])).toBe(reply)
  })
})
