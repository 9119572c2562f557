import type { Data, Message } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import type { Scope } from '../scope/scope.ts'
import type { Price } from './prices.ts'

/** What a model is asked. */
export interface ModelRequest {
  messages: Message[]
  tools: Data[]
  /** Sampling and other settings, in the words of the OpenAI API (`temperature`, `max_tokens`…). */
  settings: Data
  /** JSON Schema that the answer must match. A model without structured output ignores it. */
  answerSchema?: Data
}

/** A language model behind a connector. Calls go through `scope.exchange`. */
export interface Model {
  /** The name in reports: `gpt-4o`, `scripted`. */
  id: string
  /** Absent when it is unknown. */
  price?: Price
  generate(request: ModelRequest, scope: Scope): Promise<Reply>
  /** Returns a vector for each text: all of one length, none of them zero. Absent where the provider has none. */
  embed?(texts: readonly string[], scope: Scope): Promise<number[][]>
}
