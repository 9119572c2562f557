import type { CaseResult } from '../results/result.ts'
import { addUsages, totalTokens, type UsageByRole } from '../results/usage.ts'
import { pluralize } from '../text/counted.ts'
import { formatDollars } from '../text/dollars.ts'

/** The spending limits of a run. */
export interface Budget {
  /** In US dollars. */
  cost?: number
  tokens?: number
  /** How messages call the two. */
  names?: { cost: string; tokens: string }
}

const budgetFlags = { cost: '--max-cost', tokens: '--max-tokens' }

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
    const { cost: most, tokens, names = budgetFlags } = this.#budget
    const all = Object.values(this.#usage)
    if (most !== undefined) {
      const unpriced = all.reduce(
        (sum, { calls, unpricedCalls = 0, replayedCalls = 0 }) =>
          sum + Math.min(unpricedCalls, calls - replayedCalls),
        0,
      )
      // A cost that is unknown cannot be limited.
      if (unpriced > 0)
        return `${names.cost}: the cost of ${pluralize(unpriced, 'call')} is unknown (set \`prices\` in the config)`
      const spent = all.reduce((sum, { cost = 0, replayedCost = 0 }) => sum + cost - replayedCost, 0)
      if (spent >= most)
        return `${names.cost} ${formatDollars(most)} is reached: ${formatDollars(spent)} spent`
    }
    if (tokens === undefined) return undefined
    const silent = Object.entries(this.#usage).find(
      ([role, { calls, replayedCalls = 0, inputTokens, outputTokens }]) =>
        usesModels(role) && calls > replayedCalls && inputTokens === undefined && outputTokens === undefined,
    )
    if (silent) return `${names.tokens}: it is unknown how many tokens the ${silent[0]} used`
    const replayed = all.reduce((sum, { replayedTokens = 0 }) => sum + replayedTokens, 0)
    const used = (totalTokens(this.#usage) ?? 0) - replayed
    return used >= tokens ? `${names.tokens} ${tokens} is reached: ${used} used` : undefined
  }
}

/** Tools, scripts and services use no tokens. */
function usesModels(role: string): boolean {
  return ['agent', 'simulator', 'judge', 'generator'].includes(role)
}
