import { compile } from './compile.ts'
import { codeFrame, placeAt, placeOf } from './place.ts'
import { ScriptLoadError } from './script-error.ts'
import { topLevelOf } from './top-level.ts'

interface FoundTests {
  /** In the order of the file. */
  tests: { name: string; line: number }[]
  /** Where the top level may wait for ever. */
  firstAwait?: number
}

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
  for (const { name, offset, callable } of declared) if (callable && isTest(name)) offsets.set(name, offset)
  for (const { name, offset, local } of exports) {
    // Of what is passed on from elsewhere it is known when it is loaded whether it is a function; the rest are types.
    const callable = local === undefined || (own.get(local) ?? imported.has(local))
    if (callable && isTest(name) && !own.has(name)) offsets.set(name, offset)
  }
  const tests = [...offsets].sort(([, left], [, right]) => left - right)
  return {
    tests: tests.map(([name, offset]) => ({ name, line: placeAt(file, source, offset).line })),
    ...(firstAwait !== undefined && { firstAwait }),
  }
}

function isTest(name: string): boolean {
  return name.startsWith('Test') && name !== 'TestMain'
}

function loadError(error: unknown, file: string, source: string): ScriptLoadError {
  const place = placeOf(error)
  const message = error instanceof Error ? error.message : String(error)
  const frame = place === undefined ? {} : { ...place, codeFrame: codeFrame(source, place) }
  return new ScriptLoadError({ kind: 'load', message, file, ...frame })
}
