import type { Data } from '../../transcript/message.ts'
import type { Bridge } from '../bridge.ts'
import type { ContextData } from '../context/context-data.ts'
import { startCoverage } from '../coverage/collect.ts'
import type { FileCoverage } from '../coverage/coverage.ts'
import { functionOf, loadModule } from '../load.ts'
import { TestRun } from '../tests/test-run.ts'

interface TestsCall {
  file: string
  tests: string[]
  coverage: boolean
}

let measuring: ReturnType<typeof startCoverage> | undefined

/** Loads a test file, and looks whether its tests are functions. */
export async function loadTests({ file, tests, coverage }: TestsCall): Promise<object> {
  if (coverage) measuring ??= startCoverage()
  const exports = await loadModule(file)
  for (const name of tests) functionOf(exports, name, file)
  return {}
}

/** Runs tests one after another, as they stand in their file. */
export async function runTests(
  call: TestsCall & { context: ContextData; variables: Data },
  bridge: Bridge,
): Promise<{ coverage: FileCoverage[] }> {
  await loadTests(call)
  const run = new TestRun(await loadModule(call.file), call, bridge)
  await run.all(call.tests)
  return { coverage: measuring?.take() ?? [] }
}
