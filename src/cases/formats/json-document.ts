import { type Node, type ParseError, parseTree } from 'jsonc-parser'
import { errorMessage } from '../../errors.ts'
import { countKeys, deepestCase } from '../../json/json.ts'
import { describeSyntaxError, placeInJson } from '../../json/json-syntax.ts'
import type { BracketCount } from '../../json/scan-json.ts'
import type { Issue } from '../../json/validation/issues.ts'
import type { CaseDocument, FormatProblem, Path, Position } from './case-format.ts'

/** A stretch of a file that should be one JSON value. */
export interface JsonText extends BracketCount {
  text: string
  line: number
  /** The column of its first character; 1 at the beginning of a line. */
  column: number
  /** Its byte range, if it can be read again from the file. */
  bytes?: [number, number]
}

export function jsonDocument(json: JsonText): CaseDocument | FormatProblem {
  if (json.deepest > deepestCase) {
    const message = `nested deeper than ${deepestCase} levels`
    return { code: 'too_deep', message, line: json.line, column: json.column }
  }
  let value: unknown
  try {
    value = JSON.parse(json.text)
  } catch (error) {
    return syntaxProblem(json, error)
  }
  const document: CaseDocument = {
    value,
    line: json.line,
    // More colons than keys: a key is there twice.
    issues: json.colons > countKeys(value) ? findDuplicateKeys(json) : [],
    position: (path, key) => positionIn(json, path, key),
  }
  if (json.bytes !== undefined) document.bytes = json.bytes
  return document
}

function syntaxProblem(json: JsonText, error: unknown): FormatProblem {
  const errors: ParseError[] = []
  parseTree(json.text, errors, { disallowComments: true })
  const first = errors[0]
  // The file, or the next value, came before its last bracket was closed.
  const isUnclosed = json.level > 0
  const what = isUnclosed
    ? 'the object is never closed'
    : first === undefined
      ? errorMessage(error)
      : describeSyntaxError(first)
  const offset = isUnclosed ? 0 : (first?.offset ?? 0)
  return { code: 'invalid_json', message: `invalid JSON: ${what}`, ...positionAtOffset(json, offset) }
}

/** JSON.parse silently keeps the last of two equal keys, so a check under the first one would be lost. */
function findDuplicateKeys(json: JsonText): Issue[] {
  const issues: Issue[] = []
  const visit = (node: Node, path: Path) => {
    const seen = new Set<string>()
    for (const [index, child] of (node.children ?? []).entries()) {
      if (node.type === 'object') {
        const key = String(child.children?.[0]?.value)
        if (seen.has(key))
          issues.push({ code: 'duplicate_key', path, key, message: `duplicate key "${key}"` })
        seen.add(key)
        if (child.children?.[1]) visit(child.children[1], [...path, key])
      } else visit(child, [...path, index])
    }
  }
  const root = parseTree(json.text)
  if (root) visit(root, [])
  return issues
}

function positionIn(json: JsonText, path: Path, key?: string): Position {
  const { line, column } = placeInJson(json.text, path, key)
  return { line: json.line + line - 1, column: line === 1 ? column + json.column - 1 : column }
}

function positionAtOffset(json: JsonText, offset: number): Position {
  const before = json.text.slice(0, offset).split('\n')
  const column = (before.at(-1)?.length ?? 0) + (before.length === 1 ? json.column : 1)
  return { line: json.line + before.length - 1, column }
}
