import { defined } from '../json/defined.ts'
import type { TokenUsage } from './transcript/reply.ts'

/** On whose account a call is made. */
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

/** They work before and after the cases, so that their calls are in no result, only in the summary. */
export function usageAroundCases({ generator, reporter }: UsageByRole): UsageByRole {
  return defined({ generator, reporter })
}

/** What the calls of one role came to. Counts of tokens are absent when nobody told them. */
export interface Usage extends TokenUsage {
  calls: number
  retries: number
  /** Calls whose cost is not known; `cost` is that of the others. */
  unpricedCalls?: number
  /** Answers that had to be read as data: verdicts, generated cases. */
  answers?: number
  /** Of these, those that could not be read at first, and were sent back. */
  repaired?: number
}

export type UsageByRole = Partial<Record<Role, Usage>>

/** One usage with another added to it. What neither knows stays unknown. */
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

/** What all roles cost together; undefined when some of it is not known, or nothing was asked. */
export function totalCost(usage: UsageByRole): number | undefined {
  const all = Object.values(usage)
  if (all.some(({ unpricedCalls }) => unpricedCalls !== undefined)) return undefined
  const costs = all.flatMap(({ cost }) => cost ?? [])
  return costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0)
}

/** Of all roles, in and out; undefined when nobody told any. */
export function totalTokens(usage: UsageByRole): number | undefined {
  const told = Object.values(usage).flatMap(({ inputTokens, outputTokens }) =>
    inputTokens === undefined && outputTokens === undefined ? [] : [(inputTokens ?? 0) + (outputTokens ?? 0)],
  )
  return told.length === 0 ? undefined : told.reduce((sum, tokens) => sum + tokens, 0)
}

/** More than a tenth: it costs time and money, and a judge that often has to be asked twice is a poor one. */
const oftenRepaired = 0.1

/** Answers of judges that were sent back, where these are many. */
export function manyRepairs({ judge }: UsageByRole): { repaired: number; answers: number } | undefined {
  const { repaired = 0, answers = 0 } = judge ?? {}
  return repaired > answers * oftenRepaired ? { repaired, answers } : undefined
}
