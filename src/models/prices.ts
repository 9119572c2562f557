import { defined } from '../json/defined.ts'
import type { ModelUsage, Reply, TokenUsage } from '../results/transcript/reply.ts'
import { sumUsage } from './reported-usage.ts'

/** US dollars for a million tokens. */
export interface Price {
  input: number
  output: number
  /** The price of input from the provider's cache. Default: that of other input. */
  cached_input?: number | undefined
}

export type Prices = Readonly<Record<string, Price>>

/** List prices of widely used models. They age: a price in the config takes precedence. */
const listPrices: Prices = {
  'gpt-4o': { input: 2.5, output: 10, cached_input: 1.25 },
  'gpt-4o-mini': { input: 0.15, output: 0.6, cached_input: 0.075 },
  'gpt-4.1': { input: 2, output: 8, cached_input: 0.5 },
  'gpt-4.1-mini': { input: 0.4, output: 1.6, cached_input: 0.1 },
  'gpt-4.1-nano': { input: 0.1, output: 0.4, cached_input: 0.025 },
  'gpt-5': { input: 1.25, output: 10, cached_input: 0.125 },
  'gpt-5-mini': { input: 0.25, output: 2, cached_input: 0.025 },
  'gpt-5-nano': { input: 0.05, output: 0.4, cached_input: 0.005 },
  o3: { input: 2, output: 8, cached_input: 0.5 },
  'o4-mini': { input: 1.1, output: 4.4, cached_input: 0.275 },
  'claude-opus-4-1': { input: 15, output: 75, cached_input: 1.5 },
  'claude-opus-4-5': { input: 5, output: 25, cached_input: 0.5 },
  'claude-sonnet-4': { input: 3, output: 15, cached_input: 0.3 },
  'claude-sonnet-4-5': { input: 3, output: 15, cached_input: 0.3 },
  'claude-haiku-4-5': { input: 1, output: 5, cached_input: 0.1 },
  'claude-3-5-haiku': { input: 0.8, output: 4, cached_input: 0.08 },
  'text-embedding-3-small': { input: 0.02, output: 0 },
  'text-embedding-3-large': { input: 0.13, output: 0 },
}

/** The price of scripted models. */
export const freePrice: Price = { input: 0, output: 0 }

/** A release is named after its model: `gpt-4o-2024-08-06`, `claude-sonnet-4-5@20250929`, `…-latest`. */
const release = /[-@](?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$/
/** Routers put the provider before the model: `openai/gpt-4o`. */
const provider = /^.*\//

/** Returns the price of the first name that has one; the user's prices take precedence over the list. */
export function findPrice(own: Prices | undefined, ...names: readonly string[]): Price | undefined {
  return lookUp(own, names) ?? lookUp(listPrices, names)
}

function lookUp(prices: Prices = {}, names: readonly string[]): Price | undefined {
  const spellings = names.flatMap((name) => {
    const bare = name.replace(provider, '')
    return [name, name.replace(release, ''), bare, bare.replace(release, '')]
  })
  const found = spellings.find((name) => Object.hasOwn(prices, name))
  return found === undefined ? undefined : prices[found]
}

/** In dollars. Undefined when the price or the tokens are unknown: unknown is not zero. */
export function calculateCost(usage: TokenUsage | undefined, price: Price | undefined): number | undefined {
  if (price === undefined) return undefined
  if (price.input === 0 && price.output === 0) return 0
  const { inputTokens, outputTokens, cachedTokens = 0 } = usage ?? {}
  if (inputTokens === undefined || outputTokens === undefined) return undefined
  const { input, output, cached_input = input } = price
  const fresh = Math.max(0, inputTokens - cachedTokens)
  return (fresh * input + cachedTokens * cached_input + outputTokens * output) / 1_000_000
}

/** Adds the cost to a reply where it is known. */
export function withCost(reply: Reply, price: Price | undefined): Reply {
  const cost = calculateCost(reply.usage, price)
  return cost === undefined ? reply : { ...reply, usage: defined({ ...reply.usage, cost }) }
}

/** What decides the prices of an agent that calls its models itself. */
export interface AgentPrices {
  /** `prices` in the config. */
  own?: Prices | undefined
  /** The names of the agent, which may have a price of its own. */
  names: readonly string[]
}

/** Of agents that no config names. */
export const listPricesOnly: AgentPrices = { names: [] }

/** Adds the cost to a reply of an agent that calls its models itself, where the agent does not report it. */
export function priceReply(reply: Reply, { own, names }: AgentPrices): Reply {
  const { usage = {}, usageByModel = [usage] } = reply
  if (usage.cost !== undefined) return reply
  const priced = usageByModel.map((part) => withCostOf(part, own, names))
  if (priced.every((part, index) => part === usageByModel[index])) return reply
  const { usage: total, usageByModel: parts } = sumUsage(priced)
  return { ...reply, ...defined({ usage: total, usageByModel: parts }) }
}

function withCostOf(part: ModelUsage, own: Prices | undefined, names: readonly string[]): ModelUsage {
  if (part.cost !== undefined) return part
  const models = part.model === undefined ? [] : [part.model]
  const price = lookUp(own, [...models, ...names]) ?? lookUp(listPrices, models)
  const cost = calculateCost(part, price)
  return cost === undefined ? part : { ...part, cost }
}
