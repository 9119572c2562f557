import { type Group, groupRows } from './group-rows.ts'
import type { PageRow } from './report-data.ts'

/** Cases as they are looked up: made once, however many there are. */
export interface CaseIndex {
  groups: readonly Group[]
  /** By the position of a row: the group it is in. */
  ofRow: ReadonlyMap<number, Group>
  /** By the id of a case: its groups, of all files and variants. */
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
