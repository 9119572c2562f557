import { type Group, groupKey } from './group-rows.ts'
import { type CaseLink, wellFormed } from './hash-state.ts'
import type { PageRow } from './report-data.ts'

/** Where the row is that a link names: of several runs the one that needs a look. */
export function findCase(
  rows: readonly PageRow[],
  groups: readonly Group[],
  link: CaseLink,
): number | undefined {
  const named = (row: PageRow) =>
    same(row.id, link.id) &&
    (link.file === undefined || same(row.file, link.file)) &&
    (link.variant === undefined || same(row.variant, link.variant))
  const own = groups.filter(({ head }) => named(head))
  const ofRun = (position: number) =>
    (link.run === undefined || rows[position]?.run === link.run) &&
    (link.attempt === undefined || rows[position]?.attempt === link.attempt)
  for (const group of own) {
    const wanted = (link.attempt === undefined ? group.runs : [...group.runs, ...group.earlier]).filter(ofRun)
    const worst = wanted.find((position) => rows[position]?.outcome === group.worst)
    if (worst !== undefined || wanted.length > 0) return worst ?? wanted[0]
  }
  return undefined
}

/** The shortest link that names this row and no other. */
export function linkTo(rows: readonly PageRow[], groups: readonly Group[], position: number): CaseLink {
  const row = rows[position]
  if (row === undefined) return { id: '' }
  const namesakes = groups.filter(({ head }) => head.id === row.id)
  const own = namesakes.find(({ head }) => groupKey(head) === groupKey(row))
  return {
    id: row.id,
    ...(namesakes.some(({ head }) => head.file !== row.file) ? { file: row.file } : {}),
    ...(namesakes.some(({ head }) => head.variant !== row.variant) ? { variant: row.variant } : {}),
    ...(own && own.runs.length > 1 ? { run: row.run } : {}),
    ...(own?.earlier.includes(position) ? { run: row.run, attempt: row.attempt } : {}),
  }
}

/** Ids may hold what an address cannot. */
function same(text: string, named: string): boolean {
  return text === named || wellFormed(text) === named
}
