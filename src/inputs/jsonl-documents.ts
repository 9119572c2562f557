import { type FileLine, readLines } from '../read-lines.ts'

/** One JSON value of a JSONL file; an object may be spread over several lines. */
export interface JsonlDocument {
  /** Comment lines are blank in it, so its line breaks still count. */
  text: string
  line: number
  bytes: [number, number]
  /** Property colons outside strings: more than keys means that a key stands twice. */
  colons: number
  depth: number
  /** The file, or the next object, came before its last bracket was closed. */
  unclosed: boolean
}

export async function* readDocuments(path: string): AsyncGenerator<JsonlDocument> {
  let open: FileLine[] = []
  let scan = newScan()
  for await (const line of readLines(path)) {
    const text = withoutComment(line.text)
    if (open.length === 0 && text.trim() === '') continue
    open.push(line)
    scanLine(scan, text)
    if (scan.level > 0) continue
    yield toDocument(open, scan)
    open = []
    scan = newScan()
  }
  if (open.length > 0) yield* splitUnclosed(open)
}

/** The text of a document as `readDocuments` gave it, from the bytes it stands in. */
export function cleanDocument(text: string): string {
  return text
    .split('\n')
    .map((line) => withoutComment(line.replace(/^\uFEFF/, '').replace(/\r$/, '')))
    .join('\n')
}

/**
 * An object that is never closed swallows all that follows it. Then, and only then, a `{` in the first
 * column is taken for the start of the next one, so that the rest of the file is still looked at.
 */
function* splitUnclosed(lines: FileLine[]): Generator<JsonlDocument> {
  let open: FileLine[] = []
  let scan = newScan()
  for (const line of lines) {
    const text = withoutComment(line.text)
    if (open.length > 0 && (scan.level <= 0 || text.startsWith('{'))) {
      yield toDocument(open, scan)
      open = []
      scan = newScan()
    }
    if (open.length === 0 && text.trim() === '') continue
    open.push(line)
    scanLine(scan, text)
  }
  if (open.length > 0) yield toDocument(open, scan)
}

interface Scan {
  level: number
  deepest: number
  colons: number
}

function newScan(): Scan {
  return { level: 0, deepest: 0, colons: 0 }
}

/** A JSON string never spans lines, so every line starts outside one. */
function scanLine(scan: Scan, text: string): void {
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 0x5c) index += 1
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x7b || code === 0x5b) {
      scan.level += 1
      if (scan.level > scan.deepest) scan.deepest = scan.level
    } else if (code === 0x7d || code === 0x5d) scan.level -= 1
    else if (code === 0x3a) scan.colons += 1
  }
}

function withoutComment(text: string): string {
  return /^\s*(?:#|\/\/)/.test(text) ? '' : text
}

function toDocument(lines: FileLine[], scan: Scan): JsonlDocument {
  const first = lines[0] as FileLine
  const last = lines.at(-1) as FileLine
  return {
    text: lines.map((line) => withoutComment(line.text)).join('\n'),
    line: first.number,
    bytes: [first.bytes[0], last.bytes[1]],
    colons: scan.colons,
    depth: scan.deepest,
    unclosed: scan.level > 0,
  }
}
