import type { Data } from '../results/transcript/message.ts'
import type { ReportUsage } from '../scripts/protocol/used-tokens.ts'
import type { WrapTools } from '../scripts/protocol/wrap-tools.ts'

/** What a module agent receives besides its input: `(input, ctx: ModuleContext) => reply`. */
export interface ModuleContext {
  readonly sessionId: string
  /** From 1. */
  readonly turn: number
  /** The messages before the input. */
  readonly history: readonly { role: string; content: unknown }[]
  /** The options of the case and the turn. */
  readonly options: Data
  readonly metadata: Data
  readonly userId: string
  readonly teamId: string
  readonly locale: string
  readonly referer: string
  readonly accept: string
  readonly client: { type: string; ip: string; user_agent?: string }
  readonly authorized: Data
  /** Set by scripts of the case. */
  readonly variables: Data
  /** Aborted when the time is over. */
  readonly signal: AbortSignal
  /**
   * Wraps functions, or tools of the AI SDK: `const tools = ctx.tools({ lookUp })`. The same tools are returned, and viva
   * sees their calls, which can be stubbed, delayed and made to fail.
   */
  readonly tools: WrapTools
  /**
   * Reports what a call of a model has used, by the agent or one of its tools: `ctx.usage({ model: 'gpt-5', ...usage })`.
   * viva adds the cost.
   */
  readonly usage: ReportUsage
}
