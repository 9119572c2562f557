import type { Role, Usage, UsageByRole } from '../results/usage.ts'
import type { TokenUsage } from '../transcript/reply.ts'

/** Adds up the calls of one case, by role. */
export class UsageLedger {
  readonly byRole: UsageByRole = {}

  addCall(role: Role, tokens: TokenUsage | undefined): void {
    const usage = this.#of(role)
    usage.calls += 1
    if (tokens?.inputTokens !== undefined) usage.inputTokens = (usage.inputTokens ?? 0) + tokens.inputTokens
    if (tokens?.outputTokens !== undefined)
      usage.outputTokens = (usage.outputTokens ?? 0) + tokens.outputTokens
  }

  addRetry(role: Role): void {
    this.#of(role).retries += 1
  }

  #of(role: Role): Usage {
    this.byRole[role] ??= { calls: 0, retries: 0 }
    return this.byRole[role]
  }
}
