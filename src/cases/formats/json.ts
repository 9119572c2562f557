import { readFileSync } from 'node:fs'
import { parseJson } from '../../json/json.ts'
import { countBrackets, noBrackets } from '../../json/scan-json.ts'
import type { CaseFormat, FormatProblem } from './case-format.ts'
import { type JsonText, jsonDocument } from './json-document.ts'
import { sizeProblem } from './size-problem.ts'

/** A JSON array of cases. It is split into elements by brackets, so that each has a position in the file. */
export const json: CaseFormat = {
  tooLarge: (path) => sizeProblem(path, 'JSON', maxMegabytes),
  async *documents(path) {
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
    for (const item of splitElements(text)) yield 'code' in item ? item : jsonDocument(item)
  },
  parse: parseJson,
}

/** The file must fit into one string. */
const maxMegabytes = 256

const space = /\s/

/** Splits the text of an array into its elements. A line break ends a string, because strings cannot contain one. */
function* splitElements(text: string): Generator<JsonText | FormatProblem> {
  const cursor = createCursor(text)
  cursor.skipSpace()
  if (cursor.at() !== '[') {
    yield { code: 'wrong_type', message: 'a .json case file is an array of cases', ...cursor.position() }
    return
  }
  cursor.advance()
  for (cursor.skipSpace(); cursor.at() !== ']'; cursor.skipSpace()) {
    if (cursor.at() === '') {
      yield { code: 'invalid_json', message: 'invalid JSON: the array is never closed', ...cursor.position() }
      return
    }
    yield cursor.takeElement()
    cursor.skipSpace()
    if (cursor.at() === ',') {
      const comma = cursor.position()
      cursor.advance()
      cursor.skipSpace()
      if (cursor.at() !== ']') continue
      yield { code: 'invalid_json', message: 'invalid JSON: nothing follows the comma', ...comma }
    } else if (cursor.at() !== ']' && cursor.at() !== '') {
      yield { code: 'invalid_json', message: 'invalid JSON: comma expected', ...cursor.position() }
      return
    }
  }
  cursor.advance()
  cursor.skipSpace()
  if (cursor.at() !== '') {
    yield { code: 'invalid_json', message: 'invalid JSON: end of file expected', ...cursor.position() }
  }
}

function createCursor(text: string) {
  let index = 0
  let line = 1
  let lineStart = 0

  const at = () => text[index] ?? ''
  const position = () => ({ line, column: index - lineStart + 1 })
  const moveTo = (end: number) => {
    for (; index < end; index++) {
      if (text[index] !== '\n') continue
      line += 1
      lineStart = index + 1
    }
  }
  const advance = () => moveTo(index + 1)
  const skipSpace = () => {
    while (index < text.length && space.test(at())) advance()
  }

  /** Reads up to the comma or bracket that ends the element; if a bracket is missing, up to the end of the file. */
  const takeElement = (): JsonText => {
    const start = index
    const place = position()
    const brackets = noBrackets()
    moveTo(countBrackets(brackets, text, start, true))
    return { text: text.slice(start, index).trimEnd(), ...place, ...brackets }
  }
  return { at, position, advance, skipSpace, takeElement }
}
