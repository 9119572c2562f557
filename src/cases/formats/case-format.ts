import type { Problem } from '../../errors.ts'
import type { Issue } from '../../json/validation/issues.ts'

/** Where something stands in a case. */
export type Path = (string | number)[]

export interface Position {
  line: number
  column: number
}

interface InAnotherFile {
  /** The file in which it stands where that is not the case file, as seen from there. */
  beside?: string
}

/** One case as its format gives it, not validated yet. */
export interface CaseDocument extends InAnotherFile {
  value: unknown
  line: number
  /** Where its text stands in the file, if it can be read again from there. */
  bytes?: [number, number]
  /** Faults that the value does not show: a key that stands twice. */
  issues: Issue[]
  /** The place of a part of it, or of the nearest thing around it. */
  position(path: Path, key?: string): Position
}

/** What is wrong with the text of a file, whatever its cases are. */
export type FormatProblem = Pick<Problem, 'code' | 'message' | 'line' | 'column' | 'hint'> & InAnotherFile

/** A way to write cases down. A new one is a file here and a line in `formats.ts`. */
export interface CaseFormat {
  documents(path: string): AsyncIterable<CaseDocument | FormatProblem>
  /** The value again from the bytes of a document that told them. */
  parse(text: string): unknown
}

export function isFormatProblem(item: CaseDocument | FormatProblem): item is FormatProblem {
  return 'code' in item
}
