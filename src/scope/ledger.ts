import type { Role, Usage, UsageByRole } from '../results/usage.ts'
import type { TokenUsage } from '../transcript/reply.ts'

/** Adds up the calls of one case, by role. */
export class UsageLedger {
  readonly byRole: UsageByRole = {}

  /** Every attempt counts, also one that fails. */
  addCall(role: Role): void {
    this.#of(role).calls += 1
  }

  addTokens(role: Role, { inputTokens, outputTokens }: TokenUsage = {}): void {
    const usage = this.#of(role)
    if (inputTokens !== undefined) usage.inputTokens = (usage.inputTokens ?? 0) + inputTokens
    if (outputTokens !== undefined) usage.outputTokens = (usage.outputTokens ?? 0) + outputTokens
  }

  addRetry(role: Role): void {
    this.#of(role).retries += 1
  }

  #of(role: Role): Usage {
    this.byRole[role] ??= { calls: 0, retries: 0 }
    return this.byRole[role]
  }
}
