import type { CaseIndex } from './case-index.ts'
import type { Group } from './group-rows.ts'
import { type CaseLink, wellFormed } from './hash-state.ts'
import type { PageRow } from './report-data.ts'

/** The position of the row that a link names; of several runs, the worst one. */
export function findCase(rows: readonly PageRow[], index: CaseIndex, link: CaseLink): number | undefined {
  const exact = (index.ofId.get(link.id) ?? []).filter(({ head }) => isNamed(head, link))
  return findRun(rows, exact, link) ?? findRun(rows, unclearGroups(index, link), link)
}

function findRun(rows: readonly PageRow[], groups: readonly Group[], link: CaseLink): number | undefined {
  const ofRun = (position: number) =>
    (link.run === undefined || rows[position]?.run === link.run) &&
    (link.attempt === undefined || rows[position]?.attempt === link.attempt)
  for (const group of groups) {
    const wanted = (link.attempt === undefined ? group.runs : [...group.runs, ...group.earlier]).filter(ofRun)
    const worst = wanted.find((position) => rows[position]?.outcome === group.worst)
    if (worst !== undefined || wanted.length > 0) return worst ?? wanted[0]
  }
  return undefined
}

/** Ids may have characters that an address cannot contain: then all groups are compared. */
function unclearGroups({ groups }: CaseIndex, link: CaseLink): Group[] {
  const texts = [link.id, link.file ?? '', link.variant ?? '']
  if (!texts.some((text) => text.includes('\ufffd'))) return []
  const asInAddress = ({ id, file, variant }: PageRow) => ({
    id: wellFormed(id),
    file: wellFormed(file),
    variant: wellFormed(variant),
  })
  return groups.filter(({ head }) => isNamed(asInAddress(head), link))
}

function isNamed({ id, file, variant }: Pick<PageRow, 'id' | 'file' | 'variant'>, link: CaseLink): boolean {
  return id === link.id && file === (link.file ?? file) && variant === (link.variant ?? variant)
}

/** The shortest link that identifies this row. */
export function linkTo(rows: readonly PageRow[], index: CaseIndex, position: number): CaseLink {
  const row = rows[position]
  if (row === undefined) return { id: '' }
  const namesakes = index.ofId.get(row.id) ?? []
  const own = index.ofRow.get(position)
  return {
    id: row.id,
    ...(namesakes.some(({ head }) => head.file !== row.file) ? { file: row.file } : {}),
    ...(namesakes.some(({ head }) => head.variant !== row.variant) ? { variant: row.variant } : {}),
    ...(own && own.runs.length > 1 ? { run: row.run } : {}),
    ...(own?.earlier.includes(position) ? { run: row.run, attempt: row.attempt } : {}),
  }
}
