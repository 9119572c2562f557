import type { ConversationTurn } from './conversation-context.ts'

/** What a judge sees of a case. */
export interface JudgeContext {
  /** Of the first turn. */
  readonly input: unknown
  /** Of the last turn. */
  readonly output: unknown
  /** Of the case, where it has one: the output that would be right. */
  readonly expectedOutput?: unknown
  readonly agentDescription?: string | undefined
  /** Every turn, the first and the last included, with the tool calls that the agent reports. */
  readonly history?: readonly ConversationTurn[] | undefined
}
