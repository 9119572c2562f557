import type { z } from 'zod'
import { caseSchema } from '../cases/case-schema.ts'
import { schemasAt } from '../issues.ts'
import { parseJson } from '../json.ts'
import type { CaseDocument, CaseFormat, FormatProblem, Path } from './case-format.ts'
import { readTable, type TableRow } from './csv-rows.ts'

/** Columns are dotted field names (`assert.type`, `turns.0.input`); an empty cell is no value. */
export const csv: CaseFormat = {
  async *documents(path) {
    let columns: Column[] | undefined
    for await (const row of readTable(path)) {
      if ('code' in row) {
        yield row
        continue
      }
      columns ??= row.columns.map((name) => ({ name, ...columnPath(name) }))
      yield toDocument(row, columns)
    }
  },
  parse: parseJson,
}

interface Column {
  name: string
  path: Path
  /** Only ever text, so `001` stays as it is. */
  text: boolean
}

function columnPath(name: string): { path: Path; text: boolean } {
  const path = name.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
  const kinds = schemasAt(caseSchema, path).map((schema) => (schema.def as z.core.$ZodTypeDef).type)
  return { path, text: kinds.length > 0 && kinds.every((kind) => kind === 'string' || kind === 'enum') }
}

function toDocument({ cells, line }: TableRow, columns: Column[]): CaseDocument | FormatProblem {
  const value: Record<string, unknown> = {}
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? ''
    if (cell !== '' && !put(value, column.path, cellValue(cell, column))) {
      return {
        code: 'conflict',
        message: `column "${column.name}" and another one exclude each other`,
        line,
        column: 1,
      }
    }
  }
  return { value, line, issues: [], position: () => ({ line, column: 1 }) }
}

/** JSON where it is JSON and the field may be other than text; `input` is text unless it is an object or a list. */
function cellValue(cell: string, { text, path }: Column): unknown {
  if (text) return cell
  if (path.at(-1) === 'input' && !/^\s*[{[]/.test(cell)) return cell
  return parseJson(cell) ?? cell
}

function put(root: Record<string, unknown>, path: Path, value: unknown): boolean {
  let place: Record<string | number, unknown> = root
  for (const [index, part] of path.slice(0, -1).entries()) {
    const next = place[part] ?? (typeof path[index + 1] === 'number' ? [] : {})
    if (typeof next !== 'object' || next === null) return false
    place[part] = next
    place = next as Record<string | number, unknown>
  }
  const last = path.at(-1) ?? ''
  if (Object.hasOwn(place, last)) return false
  place[last] = value
  return true
}
