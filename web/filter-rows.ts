import type { Group } from './group-rows.ts'
import type { Filters } from './hash-state.ts'
import { hasStatus } from './outcomes.ts'
import type { PageRow } from './report-data.ts'
import { wordsOf } from './searched-texts.ts'

export interface ShownGroup {
  group: Group
  /** Those of its runs that the filters ask for. */
  matching: number[]
}

const searched = new WeakMap<PageRow, string>()

/** Groups with a run that the filters ask for. `found`: results whose conversation has the words. */
export function filterGroups(
  rows: readonly PageRow[],
  groups: readonly Group[],
  filters: Filters,
  found: ReadonlySet<number>,
): ShownGroup[] {
  const words = wordsOf(filters.query)
  const matches = (position: number) => {
    const row = rows[position]
    if (row === undefined || !rowMatches(row, filters)) return false
    return words.length === 0 || found.has(position) || rowHas(row, words)
  }
  return groups.flatMap((group) => {
    const matching = group.runs.filter(matches)
    return matching.length > 0 ? [{ group, matching }] : []
  })
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

function rowHas(row: PageRow, words: readonly string[]): boolean {
  let text = searched.get(row)
  if (text === undefined) {
    const { id, name = '', reason = '', opening = '', tags = [], file } = row
    text = [id, name, reason, opening, file, ...tags].join('\n').toLowerCase()
    searched.set(row, text)
  }
  return words.every((word) => text.includes(word))
}
