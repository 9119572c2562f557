import type { Data, Message, ToolCall } from './message.ts'
import type { Typed } from './typed.ts'

/** Tokens of one exchange, as far as the other side told. */
export interface TokenUsage {
  inputTokens?: number
  outputTokens?: number
  /** Of the input, what the provider had in its cache. */
  cachedTokens?: number
  /** In US dollars; absent when the price is not known. */
  cost?: number
}

/** A count or a cost that somebody told. What cannot be one is as good as not told. */
export function amountOf(told: unknown): number | undefined {
  return typeof told === 'number' && Number.isFinite(told) && told >= 0 ? told : undefined
}

/** What an agent answered, in the one shape that everything after the adapter understands. */
export interface Reply extends Typed<{ output: unknown; metadata?: Readonly<Data> }> {
  /** What checks look at: the structured output where there is one, else the text. */
  output: unknown
  /** The text a person would read. */
  content: string
  /** What this reply adds to the history: the assistant's messages and its tool exchanges. */
  messages: Message[]
  /** `hidden`: the agent does not show its tools, so nothing can be said about them. */
  toolCalls: ToolCall[] | 'hidden'
  awaitingInput?: boolean
  inputHint?: string
  finishReason?: string
  usage?: TokenUsage
  /** The id of the connector that answered, where one did. */
  connector?: string
  raw?: unknown
}
