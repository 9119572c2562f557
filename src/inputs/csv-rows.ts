import { readLines } from '../read-lines.ts'
import type { FormatProblem } from './case-format.ts'

export interface CsvRow {
  cells: string[]
  line: number
}

/** A quoted cell longer than this was never meant to be one. */
const mostLinesInACell = 10_000

/** The rows of a CSV file (RFC 4180): quoted cells may hold commas, quotes and line breaks. */
export async function* readCsv(path: string): AsyncGenerator<CsvRow | FormatProblem> {
  let row: CsvRow | undefined
  let open: string | undefined
  for await (const { text, number } of readLines(path)) {
    if (open === undefined && text.trim() === '') continue
    row ??= { cells: [], line: number }
    const parsed = parseLine(text, open)
    row.cells.push(...parsed.cells)
    open = parsed.open
    if (parsed.trouble !== undefined) {
      yield { code: 'invalid_csv', message: `invalid CSV: ${parsed.trouble}`, line: number, column: 1 }
      return
    }
    if (open === undefined) {
      yield row
      row = undefined
    } else if (number - row.line > mostLinesInACell) break
  }
  if (open !== undefined && row) {
    yield { code: 'invalid_csv', message: 'invalid CSV: a quote is never closed', line: row.line, column: 1 }
  }
}

interface ParsedLine {
  cells: string[]
  /** A quoted cell that goes on in the next line. */
  open?: string
  trouble?: string
}

function parseLine(text: string, open: string | undefined): ParsedLine {
  const cells: string[] = []
  let index = 0
  let before = open === undefined ? undefined : `${open}\n`
  while (true) {
    if (before !== undefined || text[index] === '"') {
      const quoted = takeQuoted(text, before === undefined ? index + 1 : index, before ?? '')
      if (quoted.end === undefined) return { cells, open: quoted.cell }
      cells.push(quoted.cell)
      index = quoted.end
      before = undefined
      if (index < text.length && text[index] !== ',') return { cells, trouble: 'text after a closing quote' }
    } else {
      const end = text.indexOf(',', index)
      cells.push(text.slice(index, end === -1 ? text.length : end))
      index = end === -1 ? text.length : end
    }
    if (index >= text.length) return { cells }
    index += 1
  }
}

function takeQuoted(text: string, start: number, before: string): { cell: string; end?: number } {
  let cell = before
  for (let index = start; index < text.length; index++) {
    if (text[index] !== '"') cell += text[index]
    else if (text[index + 1] === '"') {
      cell += '"'
      index += 1
    } else return { cell, end: index + 1 }
  }
  return { cell }
}
