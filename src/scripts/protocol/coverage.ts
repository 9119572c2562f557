/**
 * Which code of a file ran, by lines of its source. Plain JSON, because it crosses processes. All lines with code and all
 * functions are listed in order, whether they ran or not, so that the coverage of several workers can be added up.
 */
export interface FileCoverage {
  /** The absolute path. */
  file: string
  /** Lines that contain code, with how often they ran. `code.ts` defines what counts as code. */
  lines: { line: number; hits: number }[]
  /** Several may have the same name and line: `xs.map((x) => x).filter((x) => x)`. */
  functions: { name: string; line: number; hits: number }[]
}
