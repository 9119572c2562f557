import type { CaseStability } from '../results/case-stability.ts'
import type { Gates } from '../results/gates.ts'
import { listTrials } from '../results/stability.ts'
import { type PassK, passK } from '../results/statistics/pass-k.ts'
import { pluralize } from '../text/counted.ts'

/** How likely it is that several runs pass. Runs that stop when the answer is clear are a biased sample: none for them. */
export function computePassK(cases: Iterable<CaseStability>, gates: Gates = {}): PassK[] {
  return gates.confidence === undefined ? passK(listTrials(cases)) : []
}

/** `pass^k` is the chance that all of k runs pass, `pass@k` that at least one does; both are means over the cases. */
export function passKLines(cases: Iterable<CaseStability>, gates: Gates | undefined): string[] {
  const all = computePassK(cases, gates)
  if (all.length === 0) return []
  const judged = all[0]?.cases ?? 0
  const of = (name: string, figure: 'all' | 'any') =>
    all
      .map(({ k, cases: enough, ...chances }) => {
        const few = enough === judged ? '' : ` (${pluralize(enough, 'case')})`
        return `${name}${k} ${chances[figure].toFixed(3)}${few}`
      })
      .join('  ')
  return [of('pass^', 'all'), of('pass@', 'any')]
}
