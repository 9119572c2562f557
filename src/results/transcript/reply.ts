import type { Data, Message, ToolCall } from './message.ts'
import type { Typed } from './typed.ts'

/** The tokens of one exchange, as far as they were reported. */
export interface TokenUsage {
  inputTokens?: number
  outputTokens?: number
  /** The part of the input that the provider had in its cache. */
  cachedTokens?: number
  /** In US dollars; absent when the price is unknown. */
  cost?: number
}

/** The tokens of one model, by the name that was reported, if one was. */
export interface ModelUsage extends TokenUsage {
  model?: string
}

/** A reported count or cost; undefined if the value cannot be one. */
export function parseAmount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

/** What an agent answered, in the one shape that everything after the adapter understands. */
export interface Reply extends Typed<{ output: unknown; metadata?: Readonly<Data> }> {
  /** What checks look at: the structured output where there is one, else the text. */
  output: unknown
  /** The text for people. */
  content: string
  /** What this reply adds to the history: messages of the assistant and tool exchanges. */
  messages: Message[]
  /** `hidden`: the agent does not show its tools, so nothing is known about them. */
  toolCalls: ToolCall[] | 'hidden'
  /** Of a model: the calls that its provider has run. The reply of an agent has them among its `toolCalls`. */
  providerCalls?: ToolCall[]
  /** Calls of earlier replies that only this one has the results of, as after an interrupt. */
  lateResults?: ToolCall[]
  awaitingInput?: boolean
  inputHint?: string
  finishReason?: string
  usage?: TokenUsage
  /** The same by model, where an agent calls its models itself and reports which. */
  usageByModel?: ModelUsage[]
  /** The id of the connector that answered, if any. */
  connector?: string
  raw?: unknown
}
