import { readFileSync } from 'node:fs'

/** A line of the user's test file. */
export interface CasePlace {
  file: string
  line: number
  column: number
}

/** The line that calls `callee`, which is on the stack. */
export function findCaller(callee: (...given: never[]) => unknown): CasePlace | undefined {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 1
  const here: { stack?: string } = {}
  Error.captureStackTrace(here, callee)
  const { stack = '' } = here
  Error.stackTraceLimit = limit
  const [, file = '', line, column] = /\s+at (?:.*\()?(?:async )?(.+?):(\d+):(\d+)\)?$/.exec(stack) ?? []
  return file === '' ? undefined : { file, line: Number(line), column: Number(column) }
}

/**
 * The line where a case with this id is written, in the file that defines the test: the nearest after the line of the
 * caller, else the last one before it. Cases without an id, and those that another file has, are at the caller.
 */
export function findCase(caller: CasePlace, id: string | undefined): CasePlace {
  if (id === undefined) return caller
  const spellings = ["'", '"', '`'].map((quote) => quote + id + quote)
  const written = readLines(caller.file).flatMap((text, index) => {
    const spelling = spellings.find((each) => text.includes(each))
    return spelling === undefined ? [] : [{ text, line: index + 1, column: text.indexOf(spelling) + 1 }]
  })
  const named = written.filter(({ text }) => /\bid['"]?\s*:/.test(text))
  const places = named.length > 0 ? named : written
  const found = places.find(({ line }) => line >= caller.line) ?? places.at(-1)
  return found === undefined ? caller : { file: caller.file, line: found.line, column: found.column }
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file.startsWith('file:') ? new URL(file) : file, 'utf8').split('\n')
  } catch {
    return []
  }
}
