import type { z } from 'zod'
import { defined } from '../../json/defined.ts'
import { parseJson } from '../../json/json.ts'
import { keyHint } from '../../json/validation/key-hint.ts'
import { findSchemas } from '../../json/validation/schema-tree.ts'
import { caseSchema } from '../case-schema.ts'
import type { CaseDocument, CaseFormat, FormatProblem, Path } from './case-format.ts'
import { readTable, type TableRow } from './csv-rows.ts'

/** Columns are dotted field names (`assert.type`, `turns.0.input`); an empty cell means that the field is not set. */
export const csv: CaseFormat = {
  async *documents(path) {
    let columns: Column[] | undefined
    for await (const row of readTable(path, columnProblem)) {
      if ('code' in row) {
        yield row
        continue
      }
      columns ??= parseColumns(row.columns)
      yield toDocument(row, columns)
    }
  },
  parse: parseJson,
}

interface Column {
  name: string
  path: Path
  /** The field is always text, so `001` stays a string. */
  text: boolean
}

/** Reports columns that no case can have. */
function columnProblem(names: readonly string[], line: number): FormatProblem | undefined {
  const columns = parseColumns(names)
  const unknown = columns.find(({ path }) => !isKnown(path))
  if (unknown) {
    const hint = columnHint(unknown.path)
    const message = `unknown column "${unknown.name}"`
    return { code: 'unknown_key', message, line, column: 1, ...defined({ hint }) }
  }
  const gap = findGap(columns)
  return gap === undefined ? undefined : { code: 'invalid_csv', message: gap, line, column: 1 }
}

function columnHint(path: Path): string | undefined {
  const at = path.findIndex((_, index) => schemaTypesAt(path.slice(0, index + 1)).length === 0)
  const [parent, key] = [path.slice(0, Math.max(at, 0)), path[at]]
  return typeof key === 'string'
    ? keyHint({ key, path: parent, schema: caseSchema, whole: 'the case' })
    : undefined
}

function parseColumns(names: readonly string[]): Column[] {
  return names.map((name) => ({ name, ...columnPath(name) }))
}

/** List indexes must be contiguous from 0: a very large index would exhaust the memory. */
function findGap(columns: readonly Column[]): string | undefined {
  const items = columns.flatMap(({ name, path }) =>
    path.flatMap((index, at) => (typeof index === 'number' ? { name, list: path.slice(0, at), index } : [])),
  )
  const known = new Set(items.map(({ list, index }) => [...list, index].join('.')))
  const lonely = items.find(({ list, index }) => index > 0 && !known.has([...list, index - 1].join('.')))
  if (lonely === undefined) return undefined
  const before = [...lonely.list, lonely.index - 1].join('.')
  return `column "${lonely.name}" needs a column "${before}" before it: list items are numbered from 0`
}

/** Whether the path is a field of a case, or inside of a field with free content. */
function isKnown(path: Path): boolean {
  if (path.includes('__proto__')) return false
  for (let length = 1; length <= path.length; length++) {
    const kinds = schemaTypesAt(path.slice(0, length))
    if (kinds.length === 0) return false
    if (kinds.includes('unknown')) return true
  }
  return true
}

function schemaTypesAt(path: Path): string[] {
  return findSchemas(caseSchema, path).map((schema) => (schema.def as z.core.$ZodTypeDef).type)
}

function columnPath(name: string): { path: Path; text: boolean } {
  const path = name.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
  const kinds = schemaTypesAt(path)
  return { path, text: kinds.length > 0 && kinds.every((kind) => kind === 'string' || kind === 'enum') }
}

function toDocument({ cells, line }: TableRow, columns: Column[]): CaseDocument | FormatProblem {
  const value: Record<string, unknown> = {}
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? ''
    if (cell !== '' && !setValue(value, column.path, cellValue(cell, column))) {
      const message = `column "${column.name}" conflicts with another column`
      return { code: 'conflict', message, line, column: 1 }
    }
  }
  return { value, line, issues: [], position: () => ({ line, column: 1 }) }
}

/** Parsed as JSON if the field may be something other than text. `input` is text unless it is an object or a list. */
function cellValue(cell: string, { text, path }: Column): unknown {
  if (text) return cell
  if (path.at(-1) === 'input' && !/^\s*[{[]/.test(cell)) return cell
  return parseJson(cell) ?? cell
}

function setValue(root: Record<string, unknown>, path: Path, value: unknown): boolean {
  let place: Record<string | number, unknown> = root
  for (const [index, part] of path.slice(0, -1).entries()) {
    const next =
      (Object.hasOwn(place, part) ? place[part] : undefined) ??
      (typeof path[index + 1] === 'number' ? [] : {})
    if (typeof next !== 'object' || next === null) return false
    place[part] = next
    place = next as Record<string | number, unknown>
  }
  const last = path.at(-1) ?? ''
  if (Object.hasOwn(place, last)) return false
  place[last] = value
  return true
}
