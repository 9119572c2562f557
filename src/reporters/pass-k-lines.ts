import { type CaseStability, trialsIn } from '../results/stability.ts'
import { passK } from '../statistics/pass-k.ts'

/** `pass^k`: that k runs all pass; `pass@k`: that one of them does. The mean over the cases. */
export function passKLines(cases: readonly CaseStability[]): string[] {
  const all = passK(trialsIn(cases))
  if (all.length === 0) return []
  const judged = all[0]?.cases ?? 0
  const of = (name: string, figure: 'all' | 'any') =>
    all
      .map(({ k, cases: enough, ...chances }) => {
        const few = enough === judged ? '' : ` (${enough} cases)`
        return `${name}${k} ${chances[figure].toFixed(3)}${few}`
      })
      .join('  ')
  return [of('pass^', 'all'), of('pass@', 'any')]
}
