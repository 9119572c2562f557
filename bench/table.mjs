/** Tables: a list of columns, each a heading and a function that returns the cell of a row. */
import { printRows } from './measure.mjs'

export function renderMarkdown(columns, rows) {
  const lines = [
    columns.map(([heading]) => heading),
    columns.map(() => '---'),
    ...rows.map((row) => columns.map(([, cell]) => cell(row))),
  ]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

export function printTable(columns, rows) {
  printRows([
    columns.map(([heading]) => heading.replaceAll('`', '')),
    ...rows.map((row) => columns.map(([, cell]) => cell(row).replaceAll('`', ''))),
  ])
}

/** A sentence about a contender that could not be measured. */
export function explainLeftOut({ name, cases, leftOut }) {
  const where = cases === undefined ? '' : ` with ${count(cases)} cases`
  return `Left out: ${name}${where}, because ${leftOut}.`
}

/** A share of which it is not certain that it could be measured. */
export const percent = (share) => (share === undefined ? 'an unknown share' : `${(100 * share).toFixed(0)}%`)

export const count = (value) => value.toLocaleString('en-US')

/** The cell of a figure, which is empty if it was not measured. */
const fixed = (key, digits) => (row) => row[key]?.toFixed(digits) ?? ''

/** Columns that several tables share. */
export const columnOf = {
  name: ['', ({ name }) => name],
  workload: ['cases', ({ cases, latency }) => `${count(cases)} × ${latency} ms`],
  cases: ['cases', ({ cases }) => count(cases)],
  parallel: ['parallel', ({ parallel }) => String(parallel)],
  seconds: ['s', fixed('seconds', 2)],
  ratio: ['ratio to floor', fixed('ratio', 2)],
  cpu: ['CPU s', fixed('cpu', 2)],
  peakMb: ['peak MB', fixed('peakMb', 0)],
  // Without latency there is nothing that could keep a slot busy.
  slotsBusy: ['slots busy', ({ latency, slotsBusy }) => (latency === 0 ? '' : (slotsBusy?.toFixed(2) ?? ''))],
  rounds: ['rounds', ({ rounds, failed }) => (failed ? `${rounds}, ${failed} failed` : String(rounds))],
}
