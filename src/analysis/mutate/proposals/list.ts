import { suggestCallChecks } from './call-checks.ts'
import type { Suggest } from './candidate.ts'
import { suggestDataChecks } from './data-checks.ts'
import { suggestLeakChecks } from './leak-checks.ts'
import { suggestTextChecks } from './text-checks.ts'

/** What suggests checks, all of them for every damage. */
export const suggestions: readonly Suggest[] = [
  suggestCallChecks,
  suggestDataChecks,
  suggestTextChecks,
  suggestLeakChecks,
]
