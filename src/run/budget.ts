import type { CaseResult } from '../results/result.ts'
import { addUsages, totalTokens, type UsageByRole } from '../results/usage.ts'
import { pluralize } from '../text/counted.ts'
import { formatDollars } from '../text/dollars.ts'

/** The spending limits of a run. */
export interface Budget {
  /** In US dollars. */
  cost?: number
  tokens?: number
}

/** Counts what all attempts cost, and what it cost to generate their cases. */
export class Spending {
  readonly #budget: Budget
  #usage: UsageByRole = {}

  constructor(budget: Budget = {}) {
    this.#budget = budget
  }

  add({ usage }: Pick<CaseResult, 'usage'>): void {
    this.#usage = addUsages(this.#usage, usage)
  }

  /** Why no further case may be started; undefined while the budget lasts. */
  over(): string | undefined {
    const { cost: most, tokens } = this.#budget
    const all = Object.values(this.#usage)
    if (most !== undefined) {
      const unpriced = all.reduce((sum, { unpricedCalls = 0 }) => sum + unpricedCalls, 0)
      // A cost that is unknown cannot be limited.
      if (unpriced > 0)
        return `--max-cost: the cost of ${pluralize(unpriced, 'call')} is unknown (set \`prices\` in the config)`
      const spent = all.reduce((sum, { cost = 0 }) => sum + cost, 0)
      if (spent >= most) return `--max-cost ${formatDollars(most)} is reached: ${formatDollars(spent)} spent`
    }
    if (tokens === undefined) return undefined
    const silent = Object.entries(this.#usage).find(
      ([role, { calls, inputTokens, outputTokens }]) =>
        usesModels(role) && calls > 0 && inputTokens === undefined && outputTokens === undefined,
    )
    if (silent) return `--max-tokens: it is unknown how many tokens the ${silent[0]} used`
    const used = totalTokens(this.#usage) ?? 0
    return used >= tokens ? `--max-tokens ${tokens} is reached: ${used} used` : undefined
  }
}

/** Tools, scripts and services use no tokens. */
function usesModels(role: string): boolean {
  return ['agent', 'simulator', 'judge', 'generator'].includes(role)
}
