import type { CaseList } from '../../cases/case-list.ts'
import { collect } from '../../cases/collect.ts'
import { type Selection, select } from '../../cases/select.ts'
import type { Source } from './source.ts'

/** Collects and selects: every case is read and validated, and a small entry of each is kept. */
export const casesPhase = {
  name: 'cases',
  open: async ({ source, chosen }: { source: Source; chosen: { selection: Selection } }): Promise<CaseList> =>
    select(await collect(source.cases), chosen.selection),
} as const
