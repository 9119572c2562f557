import { type Group, groupRows } from './group-rows.ts'
import type { PageRow } from './report-data.ts'

/** Finds cases without searching all rows. */
export interface CaseIndex {
  groups: readonly Group[]
  /** The group of each row, by its position. */
  ofRow: ReadonlyMap<number, Group>
  /** The groups of each case id, of all files and variants. */
  ofId: ReadonlyMap<string, readonly Group[]>
}

export function indexCases(rows: readonly PageRow[]): CaseIndex {
  const groups = groupRows(rows)
  const ofRow = new Map<number, Group>()
  const ofId = new Map<string, Group[]>()
  for (const group of groups) {
    for (const position of group.runs) ofRow.set(position, group)
    for (const position of group.earlier) ofRow.set(position, group)
    const namesakes = ofId.get(group.head.id)
    if (namesakes) namesakes.push(group)
    else ofId.set(group.head.id, [group])
  }
  return { groups, ofRow, ofId }
}
