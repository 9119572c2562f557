import { now } from '../../../json/equal/untouched.ts'
import type { TestReport } from '../../protocol/report.ts'
import type { TestBridge, TestObject } from '../../protocol/testing.ts'
import { runTestSteps, type TestFunctions } from './life.ts'
import { createRecord, testOutcome } from './record.ts'
import { runSteps } from './steps.ts'
import { createT } from './testing-t.ts'

export interface RunnableTest {
  /** The testing object, which is passed to the functions. */
  t: TestObject
  /** Runs the functions, once. It never rejects: what they throw is in the report. */
  run(functions: TestFunctions): Promise<TestReport>
}

/** Creates a test. Everything that awaits nothing runs at once, before `run` returns. */
export function createTest(name: string, bridge: TestBridge): RunnableTest {
  const record = createRecord(name)
  return {
    t: createT(record, bridge),
    async run(functions) {
      const startedAt = now()
      await runSteps(runTestSteps(record, functions))
      const { failures, assertions, subtests } = record.whole
      return { ...testOutcome(record), failures, assertions, subtests, durationMs: now() - startedAt }
    },
  }
}
