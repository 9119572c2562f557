import { defined } from '../json/defined.ts'
import type { Data } from '../results/transcript/message.ts'
import { type ModelUsage, parseAmount, type Reply, type TokenUsage } from '../results/transcript/reply.ts'
import { asData, asText } from './json.ts'

/** What a reply says about its tokens: all of them, and by model where models are named. */
export type ReplyUsage = Pick<Reply, 'usage' | 'usageByModel'>

/**
 * Reads the usage that an agent reports, for one model or a list: in viva's words, or in those of the AI SDK, the APIs
 * of OpenAI and Anthropic, and LangChain, as they come from there. `model` is the model if the usage does not name it.
 */
export function readReportedUsage(reported: unknown, model?: unknown): ModelUsage[] {
  const parts = Array.isArray(reported) ? reported : [reported]
  return parts.flatMap((part) => {
    const usage = asData(part)
    return usage === undefined ? [] : [readModelUsage({ model, ...usage })]
  })
}

/** Adds up the usage of several calls. The cost is known only if that of each is. */
export function sumUsage(parts: readonly ModelUsage[]): ReplyUsage {
  if (parts.length === 0) return {}
  const usage = sumTokens(parts)
  if (parts.every(({ cost }) => cost !== undefined))
    usage.cost = parts.reduce((sum, { cost = 0 }) => sum + cost, 0)
  const isWhole = ({ model, cost }: ModelUsage) =>
    model === undefined && (cost === undefined || parts.length === 1)
  return { usage, ...(!parts.every(isWhole) && { usageByModel: [...parts] }) }
}

/** Adds what was reported beside the reply. */
export function addReportedUsage(reply: Reply, reported: readonly unknown[]): Reply {
  if (reported.length === 0) return reply
  const { usage, usageByModel = usage === undefined ? [] : [usage] } = reply
  return { ...reply, ...sumUsage([...usageByModel, ...readReportedUsage(reported)]) }
}

function readModelUsage(usage: Data): ModelUsage {
  const cached = firstAmount(usage, [
    'cached_tokens',
    'cachedTokens',
    'cachedInputTokens',
    'cache_read_input_tokens',
    'inputTokens.cacheRead',
    'inputTokenDetails.cacheReadTokens',
    'input_token_details.cache_read',
    'input_tokens_details.cached_tokens',
    'prompt_tokens_details.cached_tokens',
  ])
  const input = firstAmount(usage, ['input_tokens', 'inputTokens', 'inputTokens.total', 'prompt_tokens'])
  return defined({
    model: asText(usage.model ?? usage.modelId),
    inputTokens: input === undefined ? undefined : input + countApart(usage),
    outputTokens: firstAmount(usage, [
      'output_tokens',
      'outputTokens',
      'outputTokens.total',
      'completion_tokens',
    ]),
    cachedTokens: cached,
    cost: parseAmount(usage.cost),
  })
}

/** Anthropic does not count as input what is written to the cache or comes from it. */
function countApart(usage: Data): number {
  const apart = [usage.cache_creation_input_tokens, usage.cache_read_input_tokens]
  return apart.reduce<number>((sum, tokens) => sum + (parseAmount(tokens) ?? 0), 0)
}

function firstAmount(usage: Data, paths: readonly string[]): number | undefined {
  for (const path of paths) {
    const [key = '', inner] = path.split('.')
    const amount = parseAmount(inner === undefined ? usage[key] : asData(usage[key])?.[inner])
    if (amount !== undefined) return amount
  }
  return undefined
}

/** The tokens of several messages or models. What none of them knows stays unknown. */
function sumTokens(usages: readonly TokenUsage[]): TokenUsage {
  const sum: TokenUsage = {}
  for (const usage of usages) {
    for (const field of ['inputTokens', 'outputTokens', 'cachedTokens'] as const) {
      const amount = usage[field]
      if (amount !== undefined) sum[field] = (sum[field] ?? 0) + amount
    }
  }
  return sum
}
