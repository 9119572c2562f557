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
 * By file, id and variant. A variant that is the only one on its side is the same case as the only one on the other:
 * that is how two models, or two versions of an agent, are compared.
 */
export function pairCases(base: readonly CaseRuns[], head: readonly CaseRuns[]): Pairs {
  // Script tests have one of their own, whatever else is played.
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
