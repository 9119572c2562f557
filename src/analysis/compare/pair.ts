import { ConfigError } from '../../errors.ts'
import { scriptVariant } from '../../results/key.ts'
import type { CaseRuns } from './case-runs.ts'

/** One case in both files. */
export interface Pair {
  base: CaseRuns
  head: CaseRuns
}

export interface Pairs {
  pairs: Pair[]
  onlyBase: CaseRuns[]
  onlyHead: CaseRuns[]
}

/**
 * Pairs cases by file, id and variant. If each side has only one variant, those two are paired: that is how two models,
 * or two versions of an agent, are compared.
 */
export function pairCases(base: readonly CaseRuns[], head: readonly CaseRuns[]): Pairs {
  // Script tests have a variant of their own, which does not count here.
  const variantMatters = [base, head].some(
    (side) =>
      new Set(side.map(({ variant }) => variant).filter((variant) => variant !== scriptVariant)).size > 1,
  )
  const name = ({ file, id, variant }: CaseRuns) =>
    JSON.stringify([file, id, ...(variantMatters ? [variant] : [])])
  const before = new Map(base.map((each) => [name(each), each]))
  const after = new Map(head.map((each) => [name(each), each]))
  const pairs = [...before].flatMap(([key, each]) => {
    const other = after.get(key)
    return other === undefined ? [] : [{ base: each, head: other }]
  })
  if (pairs.length === 0)
    throw new ConfigError({
      code: 'nothing_in_common',
      message: 'the two runs have no case in common',
      hint: 'compare runs of the same case files',
    })
  return {
    pairs,
    onlyBase: [...before].filter(([key]) => !after.has(key)).map(([, each]) => each),
    onlyHead: [...after].filter(([key]) => !before.has(key)).map(([, each]) => each),
  }
}
