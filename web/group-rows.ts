import { type Outcome, outcomes } from './outcomes.ts'
import type { PageRow } from './report-data.ts'

/** The runs of a case with one variant; a single run is a group of one. */
export interface Group {
  /** Its first row: file, id, name, tags and variant are the same in all rows. */
  head: PageRow
  /** The positions of the rows that count, by run. */
  runs: number[]
  /** Failed attempts that were retried. */
  earlier: number[]
  /** The worst outcome of its runs. */
  worst: Outcome
  flaky: boolean
  /** The mean of its runs, like time and cost. */
  turns: number
  durationMs: number
  /** Absent when that of one run is unknown. */
  cost?: number
}

export function groupRows(rows: readonly PageRow[]): Group[] {
  const positions = new Map<string, number[]>()
  for (const [position, row] of rows.entries()) {
    const key = groupKey(row)
    const known = positions.get(key)
    if (known) known.push(position)
    else positions.set(key, [position])
  }
  return [...positions.values()].flatMap((members) => createGroup(rows, members) ?? [])
}

export function groupKey({ file, id, variant }: Pick<PageRow, 'file' | 'id' | 'variant'>): string {
  return JSON.stringify([file, id, variant])
}

/** How many of the judged runs passed; undefined if none was judged. */
export function countTrials(rows: readonly PageRow[], group: Group): Trials | undefined {
  const judged = group.runs.flatMap((position) => {
    const outcome = rows[position]?.outcome
    return outcome === 'passed' || outcome === 'failed' || outcome === 'known' ? [outcome] : []
  })
  if (judged.length === 0) return undefined
  const passed = judged.filter((outcome) => outcome === 'passed').length
  return { passed, judged: judged.length, rate: (100 * passed) / judged.length }
}

export interface Trials {
  passed: number
  judged: number
  /** In percent. */
  rate: number
}

function createGroup(rows: readonly PageRow[], members: readonly number[]): Group | undefined {
  const row = (position: number) => rows[position]
  const runs = members
    .filter((position) => !row(position)?.retrying)
    .sort((left, right) => (row(left)?.run ?? 0) - (row(right)?.run ?? 0))
  const own = runs.flatMap((position) => row(position) ?? [])
  const [head] = own
  if (head === undefined) return undefined
  const cost = computeMean(own.map((each) => each.cost))
  return {
    head,
    runs,
    earlier: members.filter((position) => row(position)?.retrying),
    worst: outcomes.find((outcome) => own.some((row) => row.outcome === outcome)) ?? head.outcome,
    flaky: own.some(({ flaky }) => flaky),
    turns: computeMean(own.map(({ turns }) => turns)) ?? 0,
    durationMs: computeMean(own.map(({ durationMs }) => durationMs)) ?? 0,
    ...(cost === undefined ? {} : { cost }),
  }
}

function computeMean(values: readonly (number | undefined)[]): number | undefined {
  let sum = 0
  for (const value of values) {
    if (value === undefined) return undefined
    sum += value
  }
  return sum / values.length
}
