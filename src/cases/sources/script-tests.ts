import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { errorMessage, type Problem } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { placeAt } from '../../scripts/protocol/place.ts'
import type { LoadedTests } from '../../scripts/protocol/script-call.ts'
import { testedFile } from '../../scripts/protocol/test-file-name.ts'
import type { FoundTests } from '../../scripts/runner/find-tests.ts'
import { ScriptLoadError, ScriptStopped } from '../../scripts/runner/script-error.ts'
import type { TestHost } from '../../scripts/runner/test-host.ts'
import { relativePath } from '../../system/relative-path.ts'
import type { CaseEntry, CaseSource } from '../entry.ts'

export interface ScriptTestsOptions {
  path: string
  /** The path for messages and keys. */
  file: string
  /** Paths in messages are relative to this folder. */
  root: string
  /** The agent that the script belongs to, or an empty string. */
  agentId: string
  /** Aborted when the run is stopped. */
  stop: AbortSignal
  host: TestHost
}

/** The tests of a script file: found by parsing it, and loaded once to see that they can be run. */
export function scriptTestSource(options: ScriptTestsOptions): CaseSource {
  const { path, file, host, agentId, root } = options
  return {
    label: file,
    async *index() {
      const found = await discoverTests(options)
      if ('code' in found) {
        yield found
        return
      }
      const hash = hashTests(path, found.source)
      const loaded = await loadScriptTests(found, options)
      if ('code' in loaded) {
        yield loaded
        return
      }
      const others = loaded.others.map((name) => ({ name, line: found.lineOf(name) }))
      const tests = [...found.tests, ...others].sort((left, right) => left.line - right.line)
      if (tests.length === 0) yield noTestsProblem(file)
      for (const { name, line } of tests) yield createTestEntry(name, line, file, hash)
    },
    load: async () => ({ kind: 'script', tests: host, agentId, root }),
    close: () => host.close(),
  }
}

interface DiscoveredTests extends FoundTests {
  source: string
}

async function discoverTests({ path, file, root }: ScriptTestsOptions): Promise<DiscoveredTests | Problem> {
  let source: string
  try {
    source = readFileSync(path, 'utf8')
  } catch (error) {
    return { code: 'unreadable', message: errorMessage(error), file }
  }
  // Loaded lazily: only scripts need the compiler.
  const { findTests } = await import('../../scripts/runner/find-tests.ts')
  const found = findTests(path, source)
  if ('problem' in found) return toLoadProblem(found.problem, file, root)
  const [wrong] = found.misspelt
  if (wrong === undefined) return { source, ...found }
  const message = `${wrong.name} is never called (did you mean ${wrong.meant}?)`
  return { code: 'misspelt', message, file, line: wrong.line, hint: 'otherwise rename it' }
}

function noTestsProblem(file: string): Problem {
  const hint = 'a test is a function whose name begins with Test'
  return { code: 'no_tests', message: 'the file has no tests', file, line: 1, hint }
}

/** Loads the tests, or returns why they cannot be loaded. */
async function loadScriptTests(
  { tests, firstAwait }: DiscoveredTests,
  { path, file, root, host, stop }: ScriptTestsOptions,
): Promise<LoadedTests | Problem> {
  try {
    const names = tests.map(({ name }) => name)
    return await host.load(names, stop)
  } catch (error) {
    stop.throwIfAborted()
    if (error instanceof ScriptLoadError) return toLoadProblem(error, file, root)
    if (!(error instanceof ScriptStopped && error.reason instanceof ScriptLoadError))
      return { code: 'module_failed', message: errorMessage(error), file, line: 1 }
    const waiting = placeAt(path, readFileSync(path, 'utf8'), firstAwait ?? 0)
    const place = error.at === undefined ? `${file}:${waiting.line}` : relative(root, error.at)
    const [, own = file, line = 1] = /^(.*):(\d+)$/.exec(place.split(sep).join('/')) ?? []
    return { code: 'module_failed', message: error.reason.fault, file: own, line: Number(line) }
  }
}

function toLoadProblem(error: ScriptLoadError, file: string, root: string): Problem {
  const { line, column, codeFrame } = error
  const own = error.file === '' ? file : relativePath(root, error.file)
  const message = `${error.fault}${codeFrame === undefined ? '' : `\n${codeFrame}`}`
  return { code: 'module_failed', message, file: own, ...defined({ line, column }) }
}

function createTestEntry(name: string, line: number, file: string, hash: string): CaseEntry {
  return { id: name, file, line, hash, tags: [], at: { script: name } }
}

/** Includes the tested file: a resumed run plays the tests again if either has changed. */
function hashTests(path: string, source: string): string {
  const tested = testedFile(path)
  const hash = createHash('sha256').update(source)
  if (tested !== undefined) hash.update(readFileSync(tested))
  return hash.digest('hex').slice(0, 16)
}
