import type { TokenUsage } from '../transcript/reply.ts'

/** On whose account a call is made. */
export const roles = ['agent', 'simulator', 'judge', 'generator', 'tool', 'script', 'service'] as const
export type Role = (typeof roles)[number]

/** What the calls of one role came to. Token counts are absent when nobody told them. */
export interface Usage extends TokenUsage {
  calls: number
  retries: number
}

export type UsageByRole = Partial<Record<Role, Usage>>
