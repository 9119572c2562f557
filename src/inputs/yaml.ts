import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Document, LineCounter, Node } from 'yaml'
import { messageOf } from '../errors.ts'
import { isRecord, parseJson } from '../json.ts'
import type { CaseDocument, CaseFormat, FormatProblem, Path, Position } from './case-format.ts'
import { readCsv } from './csv-rows.ts'
import { fillTemplate } from './template.ts'

const load = createRequire(import.meta.url)

/** YAML is parsed as a whole, so its size is bounded; JSONL has no such limit. */
const mostBytes = 32 * 1024 * 1024

/** A list of cases, or an object with `defaults`, `cases`, and `rows` for a `template`. */
export const yaml: CaseFormat = {
  async *documents(path) {
    const bytes = statSync(path).size
    if (bytes > mostBytes) {
      const message = `the file has ${Math.round(bytes / 1024 / 1024)} MB, more than ${mostBytes / 1024 / 1024} MB of YAML are not read`
      yield { code: 'too_large', message, line: 1, column: 1, hint: 'use JSONL' }
      return
    }
    const parsed = parseYaml(readFileSync(path, 'utf8'))
    if ('code' in parsed) yield parsed
    else yield* casesOf(parsed, path)
  },
  parse: parseJson,
}

interface Parsed {
  value: unknown
  positionOf(path: Path): Position
}

function parseYaml(text: string): Parsed | FormatProblem {
  const { LineCounter, parseDocument, isNode } = load('yaml') as typeof import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true })
  const [error] = document.errors
  if (error) {
    const [place] = error.linePos ?? []
    if (error.code === 'MULTIPLE_DOCS') {
      const message = 'a YAML case file is one document: there is another one after ---'
      return { code: 'invalid_yaml', message, line: place?.line ?? 1, column: place?.col ?? 1 }
    }
    const message = `invalid YAML: ${error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '')}`
    return { code: 'invalid_yaml', message, line: place?.line ?? 1, column: place?.col ?? 1 }
  }
  try {
    return {
      value: document.toJS({ maxAliasCount: 100 }),
      positionOf: (path) => positionOf(document, lines, path, isNode),
    }
  } catch (thrown) {
    return { code: 'invalid_yaml', message: `invalid YAML: ${messageOf(thrown)}`, line: 1, column: 1 }
  }
}

function positionOf(
  document: Document,
  lines: LineCounter,
  path: Path,
  isNode: (value: unknown) => value is Node,
): Position {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) {
      const { line, col } = lines.linePos(node.range[0])
      return { line, column: col }
    }
  }
  return { line: 1, column: 1 }
}

async function* casesOf(parsed: Parsed, path: string): AsyncGenerator<CaseDocument | FormatProblem> {
  const { value } = parsed
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield documentAt(parsed, item, [index])
    return
  }
  if (!isRecord(value)) {
    yield {
      code: 'wrong_type',
      message: 'a YAML case file is a list of cases, or an object with `cases`',
      line: 1,
      column: 1,
    }
    return
  }
  const { defaults, cases, template, rows, ...others } = value
  for (const key of Object.keys(others)) {
    const message = `unknown key "${key}": a YAML case file has defaults, cases, template and rows`
    yield { code: 'unknown_key', message, ...parsed.positionOf([key]) }
  }
  if (defaults !== undefined) yield documentAt(parsed, { defaults }, [])
  if (Array.isArray(cases)) {
    for (const [index, item] of cases.entries()) yield documentAt(parsed, item, ['cases', index])
  } else if (cases !== undefined) {
    yield { code: 'wrong_type', message: 'cases must be a list', ...parsed.positionOf(['cases']) }
  }
  if (template !== undefined || rows !== undefined) yield* filledRows(parsed, template, rows, path)
}

function documentAt(parsed: Parsed, value: unknown, base: Path): CaseDocument {
  return {
    value,
    line: parsed.positionOf(base).line,
    issues: [],
    position: (path, key) => parsed.positionOf([...base, ...path, ...(key === undefined ? [] : [key])]),
  }
}

/** The template once for each row; rows stand in the file, or in a CSV file beside it. */
async function* filledRows(
  parsed: Parsed,
  template: unknown,
  rows: unknown,
  path: string,
): AsyncGenerator<CaseDocument | FormatProblem> {
  if (!isRecord(template) || rows === undefined) {
    const message =
      '`template` and `rows` go together: a case with {{column}} in it, and a list or a CSV file'
    yield {
      code: 'wrong_type',
      message,
      ...parsed.positionOf([template === undefined ? 'rows' : 'template']),
    }
    return
  }
  for await (const row of rowsOf(parsed, rows, path)) {
    if ('code' in row) {
      yield row
      continue
    }
    const missing = new Set<string>()
    const value = fillTemplate(template, row.value, (name) => missing.add(name))
    const issues = [...missing].map((name) => ({
      code: 'unknown_key',
      path: [],
      message: `the row has no column "${name}", which the template uses`,
    }))
    yield { value, line: row.position.line, issues, position: () => row.position }
  }
}

interface TemplateRow {
  value: Record<string, unknown>
  position: Position
}

async function* rowsOf(
  parsed: Parsed,
  rows: unknown,
  path: string,
): AsyncGenerator<TemplateRow | FormatProblem> {
  if (typeof rows === 'string') yield* csvRows(join(dirname(path), rows))
  else if (!Array.isArray(rows)) {
    yield {
      code: 'wrong_type',
      message: 'rows must be a list, or the name of a CSV file',
      ...parsed.positionOf(['rows']),
    }
  } else {
    for (const [index, value] of rows.entries()) {
      const position = parsed.positionOf(['rows', index])
      if (isRecord(value)) yield { value, position }
      else yield { code: 'wrong_type', message: `rows[${index}] must be an object`, ...position }
    }
  }
}

async function* csvRows(path: string): AsyncGenerator<TemplateRow | FormatProblem> {
  let columns: string[] | undefined
  for await (const row of readCsv(path)) {
    if ('code' in row) yield row
    else if (columns === undefined) columns = row.cells.map((cell) => cell.trim())
    else {
      const cells = columns.map((name, index): [string, unknown] => [
        name,
        parseJson(row.cells[index] ?? '') ?? row.cells[index] ?? '',
      ])
      yield { value: Object.fromEntries(cells), position: { line: row.line, column: 1 } }
    }
  }
}
