import { defined } from '../json/defined.ts'
import { camelKeys, snakeKeys } from '../json/key-case.ts'
import type { UsageLines } from './line-schema.ts'
import type { UsageByRole } from './usage.ts'

export function usageToLine(usage: UsageByRole): UsageLines {
  return Object.fromEntries(Object.entries(usage).map(([role, usage]) => [role, defined(snakeKeys(usage))]))
}

export function usageFromLine(usage: UsageLines = {}): UsageByRole {
  return Object.fromEntries(Object.entries(usage).map(([role, line]) => [role, defined(camelKeys(line))]))
}
