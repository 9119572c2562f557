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
  /** How many did not run in the second one, because nothing had changed since they passed. */
  carried: number
  /** How many ran in the second one, but were carried over in the first. */
  onlyRunNow: number
}

export type NamedCase = Pick<CaseRuns, 'file' | 'id' | 'variant'>

interface PairedSide {
  cases: readonly CaseRuns[]
  /** Those that did not run, because nothing had changed since they passed. */
  carriedOver?: readonly NamedCase[]
}

/**
 * Pairs cases by file, id and variant. If each side has only one variant, those two are paired: that is how two models,
 * or two versions of an agent, are compared.
 */
export function pairCases(
  { cases: base, carriedOver: earlier = [] }: PairedSide,
  { cases: head, carriedOver: now = [] }: PairedSide,
): Pairs {
  // Script tests have a variant of their own, which does not count here.
  const variantMatters = [
    [...base, ...earlier],
    [...head, ...now],
  ].some(
    (side) =>
      new Set(side.map(({ variant }) => variant).filter((variant) => variant !== scriptVariant)).size > 1,
  )
  const name = ({ file, id, variant }: NamedCase) =>
    JSON.stringify([file, id, ...(variantMatters ? [variant] : [])])
  const before = new Map(base.map((each) => [name(each), each]))
  const after = new Map(head.map((each) => [name(each), each]))
  const pairs = [...before].flatMap(([key, each]) => {
    const other = after.get(key)
    return other === undefined ? [] : [{ base: each, head: other }]
  })
  const [carriedBefore, carriedNow] = [new Set(earlier.map(name)), new Set(now.map(name))]
  const carried = [...before.keys(), ...carriedBefore].filter((key) => carriedNow.has(key)).length
  const onlyRunNow = [...after.keys()].filter((key) => carriedBefore.has(key)).length
  if (pairs.length + carried + onlyRunNow === 0)
    throw new ConfigError({
      code: 'nothing_in_common',
      message: 'the two runs have no case in common',
      hint: 'compare runs of the same case files',
    })
  return {
    pairs,
    onlyBase: [...before].filter(([key]) => !after.has(key) && !carriedNow.has(key)).map(([, each]) => each),
    onlyHead: [...after]
      .filter(([key]) => !before.has(key) && !carriedBefore.has(key))
      .map(([, each]) => each),
    carried,
    onlyRunNow,
  }
}
