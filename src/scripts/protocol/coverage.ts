/**
 * Which code of a file ran, in the lines of its source. Plain JSON: it crosses processes. All lines with code and all
 * functions are listed, in order, whether they ran or not, so that what two workers saw of a file can be added.
 */
export interface FileCoverage {
  /** The full path. */
  file: string
  /** Lines that hold code, with how often they ran. What counts as code is in `code.ts`. */
  lines: { line: number; hits: number }[]
  /** Several may have one name and one line: `xs.map((x) => x).filter((x) => x)`. */
  functions: { name: string; line: number; hits: number }[]
}
