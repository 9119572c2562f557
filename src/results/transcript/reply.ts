import type { Message, ToolCall } from './message.ts'

/** The tokens of one exchange, as far as they were reported. */
export interface TokenUsage {
  inputTokens?: number
  outputTokens?: number
  /** The part of the input that the provider had in its cache. */
  cachedTokens?: number
  /** In US dollars; absent when the price is unknown. */
  cost?: number
}

/** A reported count or cost; undefined if the value cannot be one. */
export function amountOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

/** The answer of an agent, in the form that everything after the adapter uses. */
export interface Reply {
  /** What is checked: the structured output if there is one, else the text. */
  output: unknown
  /** The text for people. */
  content: string
  /** What this reply adds to the history: messages of the assistant and tool exchanges. */
  messages: Message[]
  /** `hidden`: the agent does not show its tools, so nothing is known about them. */
  toolCalls: ToolCall[] | 'hidden'
  awaitingInput?: boolean
  inputHint?: string
  finishReason?: string
  usage?: TokenUsage
  /** The id of the connector that answered, if any. */
  connector?: string
  raw?: unknown
}
