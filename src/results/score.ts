import type { CaseResult } from './result.ts'
import type { CheckResult } from './transcript/check-result.ts'

/** The weighted share of checks that passed; undefined without checks. */
export function computeScore({ view, finals }: CaseResult): number | undefined {
  let [total, passed] = [0, 0]
  const add = ({ status, fields }: CheckResult) => {
    const weight = typeof fields?.weight === 'number' ? fields.weight : 1
    total += weight
    if (status === 'passed') passed += weight
  }
  for (const turn of view.turns) turn.checks.forEach(add)
  finals.forEach(add)
  return total === 0 ? undefined : Math.round((passed / total) * 1000) / 1000
}
