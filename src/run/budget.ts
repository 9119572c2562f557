import type { CaseResult } from '../results/result.ts'
import { addUsages, totalTokens, type UsageByRole } from '../results/usage.ts'
import { counted } from '../text/counted.ts'
import { dollars } from '../text/dollars.ts'

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
        return `--max-cost: the cost of ${counted(unpriced, 'call')} is unknown (set \`prices\` in the config)`
      const spent = all.reduce((sum, { cost = 0 }) => sum + cost, 0)
      if (spent >= most) return `--max-cost ${dollars(most)} is reached: ${dollars(spent)} spent`
    }
    if (tokens === undefined) return undefined
    const silent = Object.entries(this.#usage).find(
      ([role, { calls, inputTokens, outputTokens }]) =>
        asksModels(role) && calls > 0 && inputTokens === undefined && outputTokens === undefined,
    )
    if (silent) return `--max-tokens: it is unknown how many tokens the ${silent[0]} used`
    const used = totalTokens(this.#usage) ?? 0
    return used >= tokens ? `--max-tokens ${tokens} is reached: ${used} used` : undefined
  }
}

/** Tools, scripts and services use no tokens. */
function asksModels(role: string): boolean {
  return ['agent', 'simulator', 'judge', 'generator'].includes(role)
}
