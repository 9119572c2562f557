import { types } from 'node:util'
import { findDeclarations } from '../../compile/open-module.ts'
import type { FileCoverage } from '../../protocol/coverage.ts'
import { isClass } from '../../protocol/json.ts'
import type { CallOf, LoadedTests } from '../../protocol/script-call.ts'
import { isTestName } from '../../protocol/test-file-name.ts'
import type { Bridge } from '../bridge.ts'
import { startCoverage } from '../coverage/collect.ts'
import { isFunction, type UserFunction } from '../is-function.ts'
import { exportNames, findExport, findFunctionExport, LoadError, loadModule } from '../load.ts'
import { TestRun } from '../tests/test-run.ts'

let measuring: ReturnType<typeof startCoverage> | undefined

/** Loads a test file, and checks that its tests are functions. */
export async function loadTests({
  file,
  tests,
  coverage,
}: Omit<CallOf<'load_tests'>, 'kind'>): Promise<LoadedTests> {
  if (coverage) measuring ??= startCoverage()
  const exports = await loadModule(file)
  for (const name of tests) refuseGenerator(findFunctionExport(exports, name, file), name, file)
  const names = [...exportNames(exports), ...Object.keys(findDeclarations(file) ?? {})]
  const others = [...new Set(names)].filter((name) => isTestName(name) && !tests.includes(name))
  return { others: others.filter((name) => isPlainFunction(findExport(exports, name, file))) }
}

function isPlainFunction(value: unknown): boolean {
  return isFunction(value) && !isClass(value)
}

/** Calling a generator function does not run its body. */
function refuseGenerator(test: UserFunction, name: string, file: string): void {
  if (types.isGeneratorFunction(test))
    throw new LoadError(file, `${name} is a generator: its body would never run`)
}

/** Runs tests in the order of their file. */
export async function runTests(
  call: CallOf<'run_tests'>,
  bridge: Bridge,
): Promise<{ coverage: FileCoverage[] }> {
  await loadTests(call)
  const run = new TestRun(await loadModule(call.file), call, bridge)
  await run.all(call.tests)
  return { coverage: measuring?.take() ?? [] }
}
