import { groupKey } from './group-rows.ts'
import type { PageRow } from './report-data.ts'

/** An interrupted run may end before a retry: then the last attempt counts after all. */
export function countedRows(rows: readonly PageRow[]): PageRow[] {
  const last = new Map<string, number>()
  for (const [position, row] of rows.entries()) last.set(runKey(row), position)
  return rows.map((row, position) => {
    const { retrying, ...counted } = row
    return retrying && last.get(runKey(row)) === position ? counted : row
  })
}

function runKey(row: PageRow): string {
  return `${row.run} ${groupKey(row)}`
}
