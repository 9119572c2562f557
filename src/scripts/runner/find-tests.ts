import { compile } from '../compile/compile.ts'
import { topLevelOf } from '../compile/top-level.ts'
import { codeFrame, errorPlace, placeAt } from '../protocol/place.ts'
import { isTestName } from '../protocol/test-file-name.ts'
import { ScriptLoadError } from './script-error.ts'

export interface FoundTests {
  /** In the order of the file. */
  tests: { name: string; line: number }[]
  /** Where any name of the file stands. */
  lineOf(name: string): number
  /** Functions that are named nearly as those around tests. */
  misspelt: { name: string; line: number; meant: string }[]
  /** Where the top level may wait for ever. */
  firstAwait?: number
}

const around = ['TestMain', 'BeforeAll', 'AfterAll', 'BeforeEach', 'AfterEach']

/** The tests of a file, exported or not, by reading it. */
export function findTests(file: string, source: string): FoundTests | { problem: ScriptLoadError } {
  try {
    compile(file, source)
  } catch (error) {
    return { problem: loadError(error, file, source) }
  }
  const { declared, imports, exports, firstAwait } = topLevelOf(file, source)
  const offsets = new Map<string, number>()
  const own = new Map(declared.map(({ name, callable }) => [name, callable]))
  const imported = new Set(imports.flatMap(({ names }) => names.map(({ local }) => local)))
  for (const { name, offset, callable } of declared)
    if (callable && isTestName(name)) offsets.set(name, offset)
  for (const { name, offset, local } of exports) {
    // Of what is passed on from elsewhere it is known when it is loaded whether it is a function; the rest are types.
    const callable = local === undefined || (own.get(local) ?? imported.has(local))
    if (callable && isTestName(name) && !own.has(name)) offsets.set(name, offset)
  }
  const tests = [...offsets].sort(([, left], [, right]) => left - right)
  const lineAt = (offset: number) => placeAt(file, source, offset).line
  const misspelt = declared.flatMap(({ name, offset, callable }) => {
    const meant = around.find((each) => each !== name && each.toLowerCase() === name.toLowerCase())
    return callable && meant !== undefined ? [{ name, meant, line: lineAt(offset) }] : []
  })
  return {
    tests: tests.map(([name, offset]) => ({ name, line: lineAt(offset) })),
    lineOf: (name) => lineAt([...declared, ...exports].find((each) => each.name === name)?.offset ?? 0),
    misspelt,
    ...(firstAwait !== undefined && { firstAwait }),
  }
}

function loadError(error: unknown, file: string, source: string): ScriptLoadError {
  const place = errorPlace(error)
  const message = error instanceof Error ? error.message : String(error)
  const frame = place === undefined ? {} : { ...place, codeFrame: codeFrame(source, place) }
  return new ScriptLoadError({ kind: 'load', message, file, ...frame })
}
