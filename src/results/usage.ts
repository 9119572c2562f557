import { defined } from '../json/defined.ts'
import type { TokenUsage } from './transcript/reply.ts'

/** What a call is made for. */
export const roles = [
  'agent',
  'simulator',
  'judge',
  'generator',
  'reporter',
  'tool',
  'script',
  'service',
] as const
export type Role = (typeof roles)[number]

/** Generators and reporters work before and after the cases: their calls are in the summary, but in no result. */
export function usageAroundCases({ generator, reporter }: UsageByRole): UsageByRole {
  return defined({ generator, reporter })
}

/** The calls of one role. Token counts are absent when they were not reported. */
export interface Usage extends TokenUsage {
  calls: number
  retries: number
  /** Calls whose cost is unknown; `cost` is that of the others. */
  unpricedCalls?: number
  /** Answers that had to be data: verdicts, generated cases. */
  answers?: number
  /** How many of the answers could not be read at first and were asked for again. */
  repaired?: number
  /** How many of the calls were answered from a recording or a results file, and the tokens and cost they had then. */
  replayedCalls?: number
  replayedTokens?: number
  replayedCost?: number
}

export type UsageByRole = Partial<Record<Role, Usage>>

/** Adds up two usages. What is unknown in both stays unknown. */
export function addUsage(total: Usage | undefined, more: Usage): Usage {
  if (total === undefined) return more
  const sum = Object.assign({}, total)
  for (const field of usageFields) {
    const amount = more[field]
    if (amount !== undefined) sum[field] = roundAmount((sum[field] ?? 0) + amount)
  }
  return sum
}

/** Without the rounding of floating-point numbers, by which a sum of costs would depend on the order of its parts. */
export function roundAmount(amount: number): number {
  return Number.isInteger(amount) ? amount : Math.round(amount * 1e12) / 1e12
}

const usageFields = [
  'calls',
  'retries',
  'inputTokens',
  'outputTokens',
  'cachedTokens',
  'cost',
  'unpricedCalls',
  'answers',
  'repaired',
  'replayedCalls',
  'replayedTokens',
  'replayedCost',
] as const satisfies readonly (keyof Usage)[]

/** What calls have used, without what says that they were replayed. */
export function usageOfCalls(usage: UsageByRole): UsageByRole {
  const entries = Object.entries(usage).map(([role, used]) => {
    const { replayedCalls: _calls, replayedTokens: _tokens, replayedCost: _cost, ...own } = used
    return [role, own]
  })
  return Object.fromEntries(entries)
}

export function addUsages(total: UsageByRole, more: UsageByRole): UsageByRole {
  const sum = Object.assign({}, total)
  for (const role of roles) if (more[role]) sum[role] = addUsage(sum[role], more[role])
  return sum
}

/** The cost of all roles; undefined when part of it is unknown, or there were no calls. */
export function totalCost(usage: UsageByRole): number | undefined {
  if (isUnpriced(usage)) return undefined
  let total: number | undefined
  for (const role of roles) {
    const cost = usage[role]?.cost
    if (cost !== undefined) total = roundAmount((total ?? 0) + cost)
  }
  return total
}

/** Whether the cost of some calls is unknown. */
export function isUnpriced(usage: UsageByRole): boolean {
  return roles.some((role) => usage[role]?.unpricedCalls !== undefined)
}

/** Input and output tokens of all roles; undefined when none were reported. */
export function totalTokens(usage: UsageByRole): number | undefined {
  const counts = Object.values(usage).flatMap(({ inputTokens, outputTokens }) =>
    inputTokens === undefined && outputTokens === undefined ? [] : [(inputTokens ?? 0) + (outputTokens ?? 0)],
  )
  return counts.length === 0 ? undefined : counts.reduce((sum, tokens) => sum + tokens, 0)
}

/** The calls that were answered from a recording or a results file, and what was not spent again for them. */
export function totalReplayed(usage: UsageByRole): { calls: number; tokens: number; cost: number } {
  const total = { calls: 0, tokens: 0, cost: 0 }
  for (const { replayedCalls = 0, replayedTokens = 0, replayedCost = 0 } of Object.values(usage)) {
    total.calls += replayedCalls
    total.tokens += replayedTokens
    total.cost = roundAmount(total.cost + replayedCost)
  }
  return total
}

/** The share from which repairs are reported: they cost time and money, and the judge is not reliable. */
const oftenRepaired = 0.1

/** The answers of judges that had to be asked for again, if there are many. */
export function manyRepairs({ judge }: UsageByRole): { repaired: number; answers: number } | undefined {
  const { repaired = 0, answers = 0 } = judge ?? {}
  return repaired > answers * oftenRepaired ? { repaired, answers } : undefined
}
