import { defined } from '../json/defined.ts'
import { camelKeys, snakeKeys } from '../json/key-case.ts'
import type { UsageLines } from './line-schema.ts'
import { roles, type UsageByRole } from './usage.ts'

/** Undefined if there were no calls. */
export function usageToLine(usage: UsageByRole): UsageLines | undefined {
  let lines: UsageLines | undefined
  for (const role of roles) {
    const own = usage[role]
    if (own === undefined) continue
    lines ??= {}
    lines[role] = defined(snakeKeys(own))
  }
  return lines
}

export function usageFromLine(usage: UsageLines = {}): UsageByRole {
  return Object.fromEntries(Object.entries(usage).map(([role, line]) => [role, defined(camelKeys(line))]))
}
