import type { Problem } from '../../errors.ts'
import type { Issue } from '../../json/validation/issues.ts'

/** Where something stands in a case. */
export type Path = (string | number)[]

export interface Position {
  line: number
  column: number
}

interface InOtherFile {
  /** The file that contains it, relative to the case file, if it is another one. */
  beside?: string
}

/** One case as read from a file, not validated yet. */
export interface CaseDocument extends InOtherFile {
  value: unknown
  line: number
  /** The byte range of its text, if it can be read again from the file. */
  bytes?: [number, number]
  /** Problems that the parsed value does not show, such as duplicate keys. */
  issues: Issue[]
  /** The position of a part, or of its nearest parent. */
  position(path: Path, key?: string): Position
}

/** A problem with the text of a file. */
export type FormatProblem = Pick<Problem, 'code' | 'message' | 'line' | 'column' | 'hint'> & InOtherFile

/** A file format for cases. A new one is a file here and a line in `formats.ts`. */
export interface CaseFormat {
  /** The problem of a file that is too large; looked for before the file is read. */
  tooLarge?(path: string): FormatProblem | undefined
  documents(path: string): AsyncIterable<CaseDocument | FormatProblem>
  /** Parses the text in the byte range of a document again. */
  parse(text: string): unknown
}

export function isFormatProblem(item: CaseDocument | FormatProblem): item is FormatProblem {
  return 'code' in item
}
