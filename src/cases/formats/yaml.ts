import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorMessage } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { isRecord, parseJson, textOrJson } from '../../json/json.ts'
import { fillTemplate } from '../../json/template.ts'
import { withoutSchemaReference } from '../../json/validation/schema-reference.ts'
import { requirePackage } from '../../require-package.ts'
import { resolveProjectFile } from '../attached-file.ts'
import type { CaseDocument, CaseFormat, FormatProblem, Path, Position } from './case-format.ts'
import { readTable } from './csv-rows.ts'
import { sizeProblem } from './size-problem.ts'
import { utf8Problem } from './utf8-problem.ts'
import { findBadAlias, locateInYaml, locateSyntaxError } from './yaml-places.ts'

/** The whole file is parsed at once, with the positions of all its nodes. */
const maxMegabytes = 32

/** A list of cases, or an object with `defaults`, `cases`, and `rows` for a `template`. */
export function yamlFormat(projectRoot: string): CaseFormat {
  return {
    tooLarge: (path) => sizeProblem(path, 'YAML', maxMegabytes),
    documents: (path) => readYamlDocuments(path, projectRoot),
    parse: parseJson,
  }
}

async function* readYamlDocuments(
  path: string,
  projectRoot: string,
): AsyncGenerator<CaseDocument | FormatProblem> {
  const parsed = parseYaml(readFileSync(path, 'utf8').replace(/^\ufeff/, ''))
  if ('code' in parsed) yield parsed
  else yield* readYamlCases(parsed, path, projectRoot)
}

interface ParsedYaml {
  value: unknown
  positionOf(path: Path): Position
}

function parseYaml(text: string): ParsedYaml | FormatProblem {
  const { LineCounter, parseDocument } = requirePackage('yaml') as typeof import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, stringKeys: true })
  // An unknown tag is only a warning of the parser, but its value would be lost.
  const [error] = [...document.errors, ...document.warnings]
  if (error) {
    const message =
      error.code === 'MULTIPLE_DOCS'
        ? 'a YAML case file is one document: there is another one after ---'
        : `invalid YAML: ${error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '')}`
    return { code: 'invalid_yaml', message, ...locateSyntaxError(document, lines, text) }
  }
  const misplaced = findBadAlias(document, lines)
  if (misplaced !== undefined) return { code: 'invalid_yaml', ...misplaced }
  try {
    return {
      value: document.toJS({ maxAliasCount: 100 }),
      positionOf: (path) => locateInYaml(document, lines, path),
    }
  } catch (thrown) {
    return { code: 'invalid_yaml', message: `invalid YAML: ${errorMessage(thrown)}`, line: 1, column: 1 }
  }
}

async function* readYamlCases(
  parsed: ParsedYaml,
  path: string,
  projectRoot: string,
): AsyncGenerator<CaseDocument | FormatProblem> {
  const { value } = parsed
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield createDocument(parsed, item, [index])
    return
  }
  if (!isRecord(value)) {
    const message = 'a YAML case file is a list of cases, or an object with `cases`'
    yield { code: 'wrong_type', message, ...parsed.positionOf([]) }
    return
  }
  const { defaults, cases, template, rows, ...others } = withoutSchemaReference(value)
  for (const key of Object.keys(others)) {
    const message = `unknown key "${key}": a YAML case file has defaults, cases, template and rows`
    yield { code: 'unknown_key', message, ...parsed.positionOf([key]) }
  }
  if (defaults !== undefined) yield createDocument(parsed, { defaults }, [])
  if (Array.isArray(cases)) {
    for (const [index, item] of cases.entries()) yield createDocument(parsed, item, ['cases', index])
  } else if (cases !== undefined) {
    yield { code: 'wrong_type', message: 'cases must be a list', ...parsed.positionOf(['cases']) }
  }
  const given = rows === undefined ? undefined : readRows(parsed, rows, path, projectRoot)
  if (template !== undefined || given !== undefined) yield* fillRows(parsed, template, given)
}

function createDocument(parsed: ParsedYaml, value: unknown, base: Path): CaseDocument {
  return {
    value,
    line: parsed.positionOf(base).line,
    issues: [],
    position: (path, key) => parsed.positionOf([...base, ...path, ...(key === undefined ? [] : [key])]),
  }
}

/** One case per row. The rows are in the file, or in a CSV file beside it. */
async function* fillRows(
  parsed: ParsedYaml,
  template: unknown,
  rows: AsyncIterable<TemplateRow | FormatProblem> | undefined,
): AsyncGenerator<CaseDocument | FormatProblem> {
  if (!isRecord(template) || rows === undefined) {
    const message =
      '`template` and `rows` belong together: a case with {{column}} in it, and a list or a CSV file'
    const key = template === undefined ? 'rows' : 'template'
    yield { code: 'wrong_type', message, ...parsed.positionOf([key]) }
    return
  }
  for await (const row of rows) {
    if ('code' in row) {
      yield row
      continue
    }
    const missing = new Set<string>()
    const column = (name: string, written: string) => {
      if (!/^[\w.-]+$/.test(name)) return written
      if (!Object.hasOwn(row.value, name)) missing.add(name)
      return row.value[name]
    }
    const value = fillTemplate(template, column, textOrJson)
    const issues = [...missing].map((name) => ({
      code: 'unknown_key',
      path: [],
      message: `the row has no column "${name}", which the template uses`,
    }))
    const { position, beside } = row
    const placeOf = (path: Path, key?: string) => {
      const isOfTemplate = beside === undefined && key !== undefined && hasKey(template, path, key)
      return isOfTemplate ? parsed.positionOf(['template', ...path, key]) : position
    }
    yield { value, line: position.line, issues, position: placeOf, ...defined({ beside }) }
  }
}

/** A wrong key is reported in the template; wrong values come from the rows. */
function hasKey(template: unknown, path: Path, key: string): boolean {
  const parent = path.reduce<unknown>(
    (value, part) => (isRecord(value) || Array.isArray(value) ? Reflect.get(value, part) : undefined),
    template,
  )
  return isRecord(parent) && Object.hasOwn(parent, key)
}

interface TemplateRow {
  value: Record<string, unknown>
  position: Position
  /** The CSV file that contains it. */
  beside?: string
}

async function* readRows(
  parsed: ParsedYaml,
  rows: unknown,
  path: string,
  projectRoot: string,
): AsyncGenerator<TemplateRow | FormatProblem> {
  if (typeof rows === 'string') {
    let table: string
    try {
      table = resolveProjectFile(join(dirname(path), rows), projectRoot, rows)
    } catch (error) {
      yield { code: 'bad_file', message: `rows: ${errorMessage(error)}`, ...parsed.positionOf(['rows']) }
      return
    }
    for await (const row of csvRows(table)) yield { ...row, beside: rows }
  } else if (!Array.isArray(rows)) {
    const message = 'rows must be a list, or the name of a CSV file'
    yield { code: 'wrong_type', message, ...parsed.positionOf(['rows']) }
  } else {
    for (const [index, value] of rows.entries()) {
      const position = parsed.positionOf(['rows', index])
      if (isRecord(value)) yield { value, position }
      else yield { code: 'wrong_type', message: `rows[${index}] must be an object`, ...position }
    }
  }
}

async function* csvRows(path: string): AsyncGenerator<TemplateRow | FormatProblem> {
  const misencoded = await utf8Problem(path)
  if (misencoded) {
    yield misencoded
    return
  }
  for await (const row of readTable(path)) {
    if ('code' in row) yield row
    else {
      const cells = row.columns.map((name, index): [string, unknown] => {
        const cell = row.cells[index] ?? ''
        return [name, parseJson(cell) ?? cell]
      })
      yield { value: Object.fromEntries(cells), position: { line: row.line, column: 1 } }
    }
  }
}
