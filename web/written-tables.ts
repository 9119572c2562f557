import { markdownText } from '../src/reporters/markdown-text.ts'
import { outcomeNames } from './outcomes.ts'
import type { PageRow } from './report-data.ts'

const longestCell = 1000

type Cell = string | number | boolean | undefined

const columns: Record<string, (row: PageRow) => Cell> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  file: ({ file }) => file,
  variant: ({ variant }) => variant,
  run: ({ run }) => run,
  attempt: ({ attempt }) => attempt,
  outcome: ({ outcome }) => outcome,
  origin: ({ origin }) => origin,
  kind: ({ kind }) => kind,
  reason: ({ reason }) => reason,
  tags: ({ tags }) => tags?.join(' '),
  flaky: ({ flaky }) => flaky,
  unchecked: ({ unchecked }) => unchecked,
  turns: ({ turns }) => turns,
  duration_ms: ({ durationMs }) => durationMs,
  cost: ({ cost }) => cost,
  tokens: ({ tokens }) => tokens,
  opening: ({ opening }) => opening,
}

/** One line per result (RFC 4180). */
export function toCsv(rows: readonly PageRow[]): string {
  const cells = Object.values(columns)
  const lines = rows.map((row) => cells.map((cell) => csvCell(cell(row))).join(','))
  return `${[Object.keys(columns).join(','), ...lines].join('\r\n')}\r\n`
}

/** A text must not be read as a formula by a spreadsheet. */
function csvCell(value: Cell): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value)
  const text = /^[=+\-@\t\r\n\0＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) || text !== value ? `"${text.replaceAll('"', '""')}"` : text
}

export function toMarkdown(rows: readonly PageRow[]): string {
  const lines = rows.map((row) => {
    const { id, name, variant, run, outcome, origin, reason, turns, durationMs, cost } = row
    const mark = origin === undefined ? '' : ` (${origin})`
    const cells = [`${outcomeNames[outcome]}${mark}`, id, name, variant, run, reason, turns, durationMs, cost]
    return `| ${cells.map((cell) => markdownText(String(cell ?? ''), longestCell)).join(' | ')} |`
  })
  return [
    '| outcome | id | name | variant | run | reason | turns | ms | cost ($) |',
    '| --- | --- | --- | --- | ---: | --- | ---: | ---: | ---: |',
    ...lines,
    '',
  ].join('\n')
}
