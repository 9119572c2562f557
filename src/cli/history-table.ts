import type { HistoryOutcome } from '../analysis/history/outcome.ts'
import type { CaseOverview, RunOverview } from '../analysis/history/overview.ts'
import { sparkline } from '../analysis/history/sparkline.ts'
import type { Inked, Pen } from '../reporters/pen.ts'
import { oneLine } from '../reporters/printable.ts'
import { formatDollars } from '../text/dollars.ts'
import { shortTime } from '../text/duration.ts'

const longestName = 40
const unknown = '–'

/** A line a case and variant, below the file it is in. */
export function caseLines(cases: readonly CaseOverview[], pen: Pen): Inked[] {
  const isCompared = new Set(cases.map(({ variant }) => variant)).size > 1
  const isPriced = cases.some(({ costs }) => costs.some(isKnown))
  const rows = cases.map((each) => [
    oneLine(each.id, longestName),
    ...(isCompared ? [oneLine(each.variant, longestName)] : []),
    sparkline(each.pass_rates.map(orUndefined), 100),
    percent(each.pass_rates.at(-1)),
    sparkline(each.durations_ms),
    shortTime(each.durations_ms.at(-1) ?? 0),
    ...(isPriced ? costCells(each.costs) : []),
  ])
  const aligned = inColumns([tableHead(isCompared, isPriced), ...rows])
  const lines = cases.map(({ file, last, flaky }, index) => {
    const row = aligned[index + 1] ?? ''
    const told = flaky ? pen.line`${row}  ${pen.yellow('flaky')}` : row.trimEnd()
    return { file, line: pen.line`  ${historyMark(last, pen)} ${told}` }
  })
  return [pen.dim(`    ${aligned[0]?.trimEnd()}`), ...belowFiles(lines, pen)]
}

/** A line a run, below the file that the case is in. */
export function runLines(runs: readonly RunOverview[], pen: Pen): Inked[] {
  const isPriced = runs.some(({ cost }) => cost !== undefined)
  const rows = runs.map((run) => [
    `${run.passed}/${run.runs}`,
    percent(run.pass_rate),
    shortTime(run.duration_ms),
    ...(isPriced ? [run.cost === undefined ? unknown : formatDollars(run.cost)] : []),
    oneLine(run.variant, longestName),
    run.changed_since ? 'the case was changed since' : '',
  ])
  const aligned = inColumns(rows)
  const lines = runs.map(({ file, time, outcome }, index) => {
    const told = aligned[index]?.trimEnd() ?? ''
    return { file, line: pen.line`  ${timeText(time)}  ${historyMark(outcome, pen)} ${told}` }
  })
  return belowFiles(lines, pen)
}

/** Files in the order in which they first come. */
function belowFiles(lines: readonly { file: string; line: Inked }[], pen: Pen): Inked[] {
  const files = new Map<string, Inked[]>()
  for (const { file, line } of lines) {
    const own = files.get(file)
    if (own === undefined) files.set(file, [line])
    else own.push(line)
  }
  return [...files].flatMap(([file, own]) => [pen.bold(oneLine(file, 200)), ...own])
}

function tableHead(isCompared: boolean, isPriced: boolean): string[] {
  const priced = isPriced ? ['cost', ''] : []
  return ['case', ...(isCompared ? ['variant'] : []), 'passed', '', 'time', '', ...priced]
}

function costCells(costs: readonly (number | null)[]): string[] {
  const last = costs.at(-1)
  if (!costs.some(isKnown)) return ['', '']
  return [sparkline(costs.map(orUndefined)), isKnown(last) ? formatDollars(last) : unknown]
}

/** As wide as their widest. */
function inColumns(rows: readonly string[][]): string[] {
  const widths: number[] = []
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length)
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
}

function historyMark(outcome: HistoryOutcome, pen: Pen): Inked {
  switch (outcome) {
    case 'passed':
      return pen.green('✓')
    case 'failed':
      return pen.red('✗')
    case 'expected':
      return pen.yellow('✗')
    case 'unjudged':
      return pen.yellow('⚠')
    case 'skipped':
      return pen.dim('○')
  }
}

function percent(rate: number | null | undefined): string {
  return isKnown(rate) ? `${rate}%` : unknown
}

/** `2026-01-31 09:05:01Z`: the same wherever it is read. */
function timeText(time: string): string {
  return oneLine(time.replace('T', ' ').replace(/\.\d+Z$/, 'Z'), 30)
}

function isKnown(value: number | null | undefined): value is number {
  return value !== null && value !== undefined
}

function orUndefined(value: number | null): number | undefined {
  return value ?? undefined
}
