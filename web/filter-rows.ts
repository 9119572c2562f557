import type { Group } from './group-rows.ts'
import type { Filters } from './hash-state.ts'
import { hasStatus } from './outcomes.ts'
import type { PageRow } from './report-data.ts'
import { rowText } from './row-texts.ts'
import { searchedWords } from './searched-texts.ts'

export interface ShownGroup {
  group: Group
  /** The runs of the group that match the filters. */
  matching: readonly number[]
}

/** The groups with a run that matches the filters. `found` are the results whose conversation has the words. */
export function filterGroups(
  rows: readonly PageRow[],
  groups: readonly Group[],
  filters: Filters,
  found: ReadonlySet<number>,
): ShownGroup[] {
  if (!isFiltering(filters)) return groups.map((group) => ({ group, matching: group.runs }))
  const words = searchedWords(filters.query)
  const matches = (position: number) => {
    const row = rows[position]
    if (row === undefined || !rowMatches(row, filters)) return false
    if (words.length === 0 || found.has(position)) return true
    const text = rowText(rows, position)
    return words.every((word) => text.includes(word))
  }
  const shown: ShownGroup[] = []
  for (const group of groups) {
    const matching = group.runs.filter(matches)
    if (matching.length > 0) shown.push({ group, matching })
  }
  return shown
}

export function isFiltering({ query, status, ...rest }: Filters): boolean {
  return query !== '' || status.length > 0 || Object.values(rest).some((value) => value !== undefined)
}

function rowMatches(row: PageRow, { status, tag, variant, file, kind }: Filters): boolean {
  if (status.length > 0 && !status.some((wanted) => hasStatus(row, wanted))) return false
  if (tag !== undefined && !row.tags?.includes(tag)) return false
  if (variant !== undefined && row.variant !== variant) return false
  if (file !== undefined && row.file !== file) return false
  return kind === undefined || row.kind === kind
}
