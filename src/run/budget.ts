import type { CaseResult } from '../results/result.ts'
import { addUsages, totalTokens, type UsageByRole } from '../results/usage.ts'
import { counted } from '../text/counted.ts'
import { dollars } from '../text/dollars.ts'

/** What a run may spend. */
export interface Budget {
  /** In US dollars. */
  cost?: number
  tokens?: number
}

/** Counts what results cost, of all attempts, and what their cases cost to generate. */
export class Spending {
  readonly #budget: Budget
  #usage: UsageByRole = {}

  constructor(budget: Budget = {}) {
    this.#budget = budget
  }

  add({ usage }: Pick<CaseResult, 'usage'>): void {
    this.#usage = addUsages(this.#usage, usage)
  }

  /** Why no further case may be started; undefined as long as one may. */
  over(): string | undefined {
    const { cost: most, tokens } = this.#budget
    const all = Object.values(this.#usage)
    if (most !== undefined) {
      const unpriced = all.reduce((sum, { unpricedCalls = 0 }) => sum + unpricedCalls, 0)
      // What nobody can count cannot be kept within anything.
      if (unpriced > 0)
        return `--max-cost: what ${counted(unpriced, 'call')} cost is not known (\`prices\` in the config says it)`
      const spent = all.reduce((sum, { cost = 0 }) => sum + cost, 0)
      if (spent >= most) return `--max-cost ${dollars(most)} is reached: ${dollars(spent)} spent`
    }
    if (tokens === undefined) return undefined
    const silent = Object.entries(this.#usage).find(
      ([role, { calls, inputTokens, outputTokens }]) =>
        asksModels(role) && calls > 0 && inputTokens === undefined && outputTokens === undefined,
    )
    if (silent) return `--max-tokens: how many tokens the ${silent[0]} used is not known`
    const used = totalTokens(this.#usage) ?? 0
    return used >= tokens ? `--max-tokens ${tokens} is reached: ${used} used` : undefined
  }
}

/** Tools, scripts and services use none. */
function asksModels(role: string): boolean {
  return ['agent', 'simulator', 'judge', 'generator'].includes(role)
}
