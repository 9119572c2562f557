import type { Trials } from '../../results/statistics/pass-k.ts'

/** How a case passes now, compared with how it passed before. `undecided`: it was not judged on both sides. */
export type PassingChange =
  | 'newly failing'
  | 'newly passing'
  | 'less often passing'
  | 'more often passing'
  | 'same'
  | 'undecided'

/** A case that passes in half of its runs or more is one that passes. */
export function passingChange(base: Trials, head: Trials): PassingChange {
  if (base.runs === 0 || head.runs === 0) return 'undecided'
  const [before, after] = [base.passed / base.runs, head.passed / head.runs]
  if (before === after) return 'same'
  const isNew = before >= 0.5 !== after >= 0.5
  if (after < before) return isNew ? 'newly failing' : 'less often passing'
  return isNew ? 'newly passing' : 'more often passing'
}
