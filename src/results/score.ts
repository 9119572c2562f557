import type { CaseResult } from './result.ts'
import type { CheckResult } from './transcript/check-result.ts'

/** The weighted share of checks that passed; undefined without checks. */
export function computeScore({ view, finals }: CaseResult): number | undefined {
  const checks = [...view.turns.flatMap((turn) => turn.checks), ...finals]
  const weight = (check: CheckResult) => (typeof check.fields?.weight === 'number' ? check.fields.weight : 1)
  const total = checks.reduce((sum, check) => sum + weight(check), 0)
  const passed = checks
    .filter(({ status }) => status === 'passed')
    .reduce((sum, check) => sum + weight(check), 0)
  return total === 0 ? undefined : Math.round((passed / total) * 1000) / 1000
}
