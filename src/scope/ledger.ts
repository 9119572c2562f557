import type { TokenUsage } from '../results/transcript/reply.ts'
import { addUsage, type Role, roundAmount, type Usage, type UsageByRole } from '../results/usage.ts'

/** Adds up the calls of one case, by role. */
export class UsageLedger {
  readonly byRole: UsageByRole = {}
  readonly #whole: UsageLedger | undefined

  /** `whole`: of the calls that these are a part of. */
  constructor(whole?: UsageLedger) {
    this.#whole = whole
  }

  /** Every attempt counts, even one that fails. */
  addCall(role: Role): void {
    this.#add(role, { calls: 1, retries: 0 })
  }

  /** Counts a call that is answered from a recording. */
  addReplayedCall(role: Role): void {
    this.#add(role, { calls: 1, retries: 0, replayedCalls: 1 })
  }

  addReplayedTokens(role: Role, tokens: TokenUsage = {}): void {
    this.addTokens(role, tokens)
    const { inputTokens = 0, outputTokens = 0, cost } = tokens
    const replayed: Usage = { calls: 0, retries: 0 }
    if (inputTokens + outputTokens > 0) replayed.replayedTokens = inputTokens + outputTokens
    if (cost !== undefined) replayed.replayedCost = roundAmount(cost)
    this.#add(role, replayed)
  }

  /** Counts calls that were made within a call that is answered from a recording. */
  addReplayed(usage: UsageByRole): void {
    for (const [role, used] of Object.entries(usage) as [Role, Usage][]) {
      const { calls, inputTokens = 0, outputTokens = 0, cost } = used
      const replayed: Usage = { calls: 0, retries: 0, replayedCalls: calls }
      if (inputTokens + outputTokens > 0) replayed.replayedTokens = inputTokens + outputTokens
      if (cost !== undefined) replayed.replayedCost = cost
      this.#add(role, used)
      this.#add(role, replayed)
    }
  }

  addRetry(role: Role): void {
    this.#add(role, { calls: 0, retries: 1 })
  }

  /** Counts the tokens of a call that was answered and may have cost something. */
  addTokens(role: Role, tokens: TokenUsage = {}): void {
    const usage: Usage = Object.assign({ calls: 0, retries: 0 }, tokens)
    if (tokens.cost === undefined) usage.unpricedCalls = 1
    else usage.cost = roundAmount(tokens.cost)
    this.#add(role, usage)
  }

  addAnswer(role: Role, repaired: boolean): void {
    this.#add(role, { calls: 0, retries: 0, answers: 1, ...(repaired && { repaired: 1 }) })
  }

  #add(role: Role, usage: Usage): void {
    this.byRole[role] = addUsage(this.byRole[role], usage)
    if (this.#whole !== undefined) this.#whole.#add(role, usage)
  }
}
