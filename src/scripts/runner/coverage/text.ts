import { relativePath } from '../../../system/relative-path.ts'
import type { FileCoverage } from '../../protocol/coverage.ts'

/** A row of the coverage table, ready to be printed. */
export interface CoverageRow {
  file: string
  lines: string
  functions: string
  /** Lines that did not run: `12-14, 20`. */
  uncovered: string
}

/** One row per file, and a last one for all of them. */
export function coverageRows(coverage: FileCoverage[], root: string): CoverageRow[] {
  const rows = coverage.map(({ file, lines, functions }) => ({
    file: relativePath(root, file),
    lines: formatPercentage(lines),
    functions: formatPercentage(functions),
    uncovered: formatUncoveredLines(lines),
  }))
  const total = {
    file: 'all files',
    lines: formatPercentage(coverage.flatMap(({ lines }) => lines)),
    functions: formatPercentage(coverage.flatMap(({ functions }) => functions)),
    uncovered: '',
  }
  return [...rows, total]
}

/** Rounded down, so that only what is covered whole is 100%. A dash where there is nothing to cover. */
function formatPercentage(items: { hits: number }[]): string {
  if (items.length === 0) return '-'
  const hit = items.filter(({ hits }) => hits > 0).length
  return `${Math.floor((hit * 1000) / items.length) / 10}%`
}

/** Lines without code, such as comments, do not split a range. */
function formatUncoveredLines(lines: FileCoverage['lines']): string {
  const ranges: { first: number; last: number }[] = []
  let current: { first: number; last: number } | undefined
  for (const { line, hits } of lines) {
    if (hits > 0) current = undefined
    else if (current !== undefined) current.last = line
    else {
      current = { first: line, last: line }
      ranges.push(current)
    }
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(', ')
}
