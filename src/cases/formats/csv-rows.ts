import { readFileLines } from '../../system/read-lines.ts'
import type { FormatProblem } from './case-format.ts'

interface CsvRow {
  cells: string[]
  line: number
}

export interface TableRow extends CsvRow {
  /** One column name per cell. */
  columns: readonly string[]
}

/**
 * Reads a CSV file whose first row names the columns. Names must be unique, and every row must have all columns.
 * `columnProblem` adds further checks of the names.
 */
export async function* readTable(
  path: string,
  columnProblem: (names: readonly string[], line: number) => FormatProblem | undefined = () => undefined,
): AsyncGenerator<TableRow | FormatProblem> {
  let columns: string[] | undefined
  for await (const row of readCsv(path)) {
    if ('code' in row) yield row
    else if (columns === undefined) {
      columns = row.cells.map((cell) => cell.trim())
      const problem = headerProblem(columns, row.line) ?? columnProblem(columns, row.line)
      if (problem) {
        yield problem
        return
      }
    } else if (row.cells.length === columns.length) yield { ...row, columns }
    else {
      const message = `invalid CSV: ${row.cells.length} cells, but there are ${columns.length} columns`
      yield { code: 'invalid_csv', message, line: row.line, column: 1 }
    }
  }
}

function headerProblem(names: readonly string[], line: number): FormatProblem | undefined {
  const empty = names.indexOf('')
  if (empty !== -1)
    return { code: 'invalid_csv', message: `column ${empty + 1} has no name`, line, column: 1 }
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice === undefined) return undefined
  return { code: 'duplicate_key', message: `duplicate column "${twice}"`, line, column: 1 }
}

/** A longer quoted cell is almost certainly a missing closing quote. */
const maxLinesPerCell = 10_000

/**
 * The rows of a CSV file (RFC 4180): quoted cells may hold commas, quotes and line breaks.
 * Our own code, because csv-parse stops at the first bad row and silently accepts duplicate columns.
 */
async function* readCsv(path: string): AsyncGenerator<CsvRow | FormatProblem> {
  let row: CsvRow | undefined
  let open: string | undefined
  for await (const { text, number, carriageReturn } of readFileLines(path)) {
    if (open === undefined && text.trim() === '') continue
    row ??= { cells: [], line: number }
    const parsed = parseLine(text, open)
    row.cells.push(...parsed.cells)
    open = parsed.open === undefined ? undefined : `${parsed.open}${carriageReturn ? '\r\n' : '\n'}`
    if (parsed.trouble !== undefined) {
      yield { code: 'invalid_csv', message: `invalid CSV: ${parsed.trouble}`, line: number, column: 1 }
      return
    }
    if (open === undefined) {
      yield row
      row = undefined
    } else if (number - row.line > maxLinesPerCell) break
  }
  if (open !== undefined && row) {
    yield { code: 'invalid_csv', message: 'invalid CSV: a quote is never closed', line: row.line, column: 1 }
  }
}

interface ParsedLine {
  cells: string[]
  /** A quoted cell that continues on the next line. */
  open?: string
  trouble?: string
}

function parseLine(text: string, open: string | undefined): ParsedLine {
  const cells: string[] = []
  let index = 0
  let before = open
  while (true) {
    if (before !== undefined || text[index] === '"') {
      const quoted = readQuotedCell(text, before === undefined ? index + 1 : index, before ?? '')
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

function readQuotedCell(text: string, start: number, before: string): { cell: string; end?: number } {
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
