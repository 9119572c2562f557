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
  const { declared, exports, firstAwait } = topLevelOf(file, source)
  const offsets = new Map<string, number>()
  const own = new Set(declared.map(({ name }) => name))
  for (const { name, offset, callable } of declared) if (callable && isTest(name)) offsets.set(name, offset)
  // What is passed on from elsewhere; whether it is a function is known when it is loaded.
  for (const { name, offset } of exports) if (!own.has(name) && isTest(name)) offsets.set(name, offset)
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
