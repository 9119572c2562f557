import type { CaseList } from '../../cases/case-list.ts'
import { collect } from '../../cases/collect.ts'
import { hashDivision, type ShardOfCases } from '../../cases/divide.ts'
import type { CaseSource } from '../../cases/entry.ts'
import { type Selection, select } from '../../cases/select.ts'
import type { Chosen } from './chosen.ts'
import type { Source } from './source.ts'

/** Collects and selects: every case is read and validated, and a small entry of each is kept. */
export const casesPhase = {
  name: 'cases',
  open: async ({ source, chosen }: { source: Source; chosen: { selection: Selection } }): Promise<CaseList> =>
    select(await collect(source.cases), chosen.selection),
} as const

/** The cases that are played, and which part they are of all that were selected. */
export interface SelectedCases {
  cases: CaseList
  shard?: ShardOfCases
}

export const selectedPhase = {
  name: 'selected',
  open: ({ source, chosen }: { source: Source; chosen: Chosen }) => selectCases(source.cases, chosen),
} as const

export const selectedCasesPhase = {
  name: 'cases',
  open: ({
    selected,
    carried,
  }: {
    selected: SelectedCases
    carried: { cases: CaseList } | undefined
  }): CaseList => carried?.cases ?? selected.cases,
} as const

/** All cases are validated, also those of other shards: a mistake in one of them stops them all. */
export async function selectCases(source: CaseSource, { selection, shard }: Chosen): Promise<SelectedCases> {
  const all = select(await collect(source), selection)
  if (shard === undefined) return { cases: all }
  const { divide, ...choice } = shard
  const division = divide(all)
  return {
    cases: all.filter((entry) => division(entry) === choice.index),
    shard: { ...choice, all, division: hashDivision(all, division) },
  }
}
