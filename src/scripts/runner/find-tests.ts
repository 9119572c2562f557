import { compile } from '../compile/compile.ts'
import { parseTopLevel } from '../compile/top-level.ts'
import { codeFrame, errorPlace, placeAt } from '../protocol/place.ts'
import { isTestName } from '../protocol/test-file-name.ts'
import { ScriptLoadError } from './script-error.ts'

export interface FoundTests {
  /** In the order of the file. */
  tests: { name: string; line: number }[]
  /** The line of any name of the file. */
  lineOf(name: string): number
  /** Functions whose names almost match those around tests. */
  misspelt: { name: string; line: number; meant: string }[]
  /** The offset of the first `await` at the top level, which may wait for ever. */
  firstAwait?: number
}

const phaseNames = ['TestMain', 'BeforeAll', 'AfterAll', 'BeforeEach', 'AfterEach']

/** Finds the tests of a file by reading it, whether they are exported or not. */
export function findTests(file: string, source: string): FoundTests | { problem: ScriptLoadError } {
  try {
    compile(file, source)
  } catch (error) {
    return { problem: createLoadError(error, file, source) }
  }
  const { declared, imports, exports, firstAwait } = parseTopLevel(file, source)
  const offsets = new Map<string, number>()
  const own = new Map(declared.map(({ name, callable }) => [name, callable]))
  const imported = new Set(imports.flatMap(({ names }) => names.map(({ local }) => local)))
  for (const { name, offset, callable } of declared)
    if (callable && isTestName(name)) offsets.set(name, offset)
  for (const { name, offset, local } of exports) {
    // Whether a re-exported value is a function is known only when it is loaded; the rest are types.
    const callable = local === undefined || (own.get(local) ?? imported.has(local))
    if (callable && isTestName(name) && !own.has(name)) offsets.set(name, offset)
  }
  const tests = [...offsets].sort(([, left], [, right]) => left - right)
  const lineAt = (offset: number) => placeAt(file, source, offset).line
  const misspelt = declared.flatMap(({ name, offset, callable }) => {
    const meant = phaseNames.find((each) => each !== name && each.toLowerCase() === name.toLowerCase())
    return callable && meant !== undefined ? [{ name, meant, line: lineAt(offset) }] : []
  })
  return {
    tests: tests.map(([name, offset]) => ({ name, line: lineAt(offset) })),
    lineOf: (name) => lineAt([...declared, ...exports].find((each) => each.name === name)?.offset ?? 0),
    misspelt,
    ...(firstAwait !== undefined && { firstAwait }),
  }
}

function createLoadError(error: unknown, file: string, source: string): ScriptLoadError {
  const place = errorPlace(error)
  const message = error instanceof Error ? error.message : String(error)
  const frame = place === undefined ? {} : { ...place, codeFrame: codeFrame(source, place) }
  return new ScriptLoadError({ kind: 'load', message, file, ...frame })
}
