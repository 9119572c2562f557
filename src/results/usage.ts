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
}

export type UsageByRole = Partial<Record<Role, Usage>>

/** Adds up two usages. What is unknown in both stays unknown. */
export function addUsage(total: Usage | undefined, more: Usage): Usage {
  if (total === undefined) return more
  const sum = (field: keyof Usage) =>
    total[field] === undefined && more[field] === undefined
      ? undefined
      : (total[field] ?? 0) + (more[field] ?? 0)
  return {
    calls: total.calls + more.calls,
    retries: total.retries + more.retries,
    ...defined({
      inputTokens: sum('inputTokens'),
      outputTokens: sum('outputTokens'),
      cachedTokens: sum('cachedTokens'),
      cost: sum('cost'),
      unpricedCalls: sum('unpricedCalls'),
      answers: sum('answers'),
      repaired: sum('repaired'),
    }),
  }
}

export function addUsages(total: UsageByRole, more: UsageByRole): UsageByRole {
  const sum = { ...total }
  for (const role of roles) if (more[role]) sum[role] = addUsage(sum[role], more[role])
  return sum
}

/** The cost of all roles; undefined when part of it is unknown, or there were no calls. */
export function totalCost(usage: UsageByRole): number | undefined {
  const all = Object.values(usage)
  if (all.some(({ unpricedCalls }) => unpricedCalls !== undefined)) return undefined
  const costs = all.flatMap(({ cost }) => cost ?? [])
  return costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0)
}

/** Input and output tokens of all roles; undefined when none were reported. */
export function totalTokens(usage: UsageByRole): number | undefined {
  const counts = Object.values(usage).flatMap(({ inputTokens, outputTokens }) =>
    inputTokens === undefined && outputTokens === undefined ? [] : [(inputTokens ?? 0) + (outputTokens ?? 0)],
  )
  return counts.length === 0 ? undefined : counts.reduce((sum, tokens) => sum + tokens, 0)
}

/** The share from which repairs are reported: they cost time and money, and the judge is not reliable. */
const oftenRepaired = 0.1

/** The answers of judges that had to be asked for again, if there are many. */
export function manyRepairs({ judge }: UsageByRole): { repaired: number; answers: number } | undefined {
  const { repaired = 0, answers = 0 } = judge ?? {}
  return repaired > answers * oftenRepaired ? { repaired, answers } : undefined
}
