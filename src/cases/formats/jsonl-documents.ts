import { ConfigError } from '../../errors.ts'
import { type BracketCount, countBrackets, noBrackets } from '../../json/scan-json.ts'
import { type FileLine, readLineBatches } from '../../system/read-lines.ts'
import type { JsonText } from './json-document.ts'

/** A document must fit into one string. */
const maxMegabytes = 256

/**
 * Reads the JSON values of a JSONL file, each with `read`. Comment lines become blank lines, so that line numbers stay
 * right.
 */
export async function* readDocuments<T>(path: string, read: (json: JsonText) => T): AsyncGenerator<T> {
  let open: FileLine[] = []
  let brackets = noBrackets()
  for await (const lines of readLineBatches(path)) {
    for (const line of lines) {
      const text = withoutComment(line.text)
      if (open.length === 0 && text.trim() === '') continue
      open.push(line)
      countBrackets(brackets, text)
      const { bytes, number } = open[0] ?? line
      if (line.bytes[1] - bytes[0] > maxMegabytes * 1024 * 1024) {
        const message = `the object that begins here has more than ${maxMegabytes} MB, or is never closed`
        throw new ConfigError({ code: 'too_large', message, file: path, line: number, column: 1 })
      }
      if (brackets.level > 0) continue
      yield read(toDocument(open, brackets))
      open = []
      brackets = noBrackets()
    }
  }
  for (const document of splitUnclosed(open)) yield read(document)
}

/** The text of a document as `readDocuments` returned it, from the bytes in the file. */
export function cleanDocument(text: string): string {
  const end = text.indexOf('\n')
  const isOneLine = (end === -1 || end === text.length - 1) && !text.startsWith('\uFEFF')
  if (isOneLine) return text
  return text
    .split('\n')
    .map((line) => withoutComment(line.replace(/^\uFEFF/, '').replace(/\r$/, '')))
    .join('\n')
}

/**
 * An object that is never closed swallows everything after it. Only in this case a `{` in the first
 * column is taken as the start of the next object, so that the rest of the file is still checked.
 */
function* splitUnclosed(lines: FileLine[]): Generator<JsonText> {
  let open: FileLine[] = []
  let brackets = noBrackets()
  for (const line of lines) {
    const text = withoutComment(line.text)
    if (open.length > 0 && (brackets.level <= 0 || text.startsWith('{'))) {
      yield toDocument(open, brackets)
      open = []
      brackets = noBrackets()
    }
    if (open.length === 0 && text.trim() === '') continue
    open.push(line)
    countBrackets(brackets, text)
  }
  if (open.length > 0) yield toDocument(open, brackets)
}

function withoutComment(text: string): string {
  return /^\s*(?:#|\/\/)/.test(text) ? '' : text
}

function toDocument(lines: FileLine[], { level, deepest, colons }: BracketCount): JsonText {
  const first = lines[0] as FileLine
  const last = lines.at(-1) as FileLine
  return {
    text: lines.length === 1 ? first.text : lines.map((line) => withoutComment(line.text)).join('\n'),
    line: first.number,
    column: 1,
    bytes: [first.bytes[0], last.bytes[1]],
    level,
    deepest,
    colons,
  }
}
