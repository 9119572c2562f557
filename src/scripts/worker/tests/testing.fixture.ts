import { runInThisContext } from 'node:vm'
import type { AssertionFailure, TestReport } from '../../protocol/report.ts'
import type { TestAssert, TestBridge, TestObject } from '../../protocol/testing.ts'
import { createTest } from './create-test.ts'

export interface Around {
  bridge?: Partial<TestBridge>
  beforeEach?: (t: TestObject) => unknown
  afterEach?: (t: TestObject) => unknown
}

const noBridge: TestBridge = {
  print() {},
  validate: () => ({ passed: true, reason: 'fine' }),
  mock() {},
}

export function runTest(test: (t: TestObject) => unknown, around: Around = {}): Promise<TestReport> {
  const { bridge, beforeEach, afterEach } = around
  const { t, run } = createTest('TestIt', { ...noBridge, ...bridge })
  return run({
    beforeEach: beforeEach && (() => beforeEach(t)),
    test: () => test(t),
    afterEach: afterEach && (() => afterEach(t)),
  })
}

/** Returns the failure of an assertion; undefined when it passes. */
export async function failureOf(
  call: (assert: TestAssert) => unknown,
): Promise<AssertionFailure | undefined> {
  const answers: unknown[] = []
  const { status, failures, assertions } = await runTest(async ({ assert }) => {
    answers.push(await call(assert))
  })
  const held = status === 'passed' && failures.length === 0
  if (assertions !== 1 || answers[0] !== held) throw new Error('an assertion and its test do not agree')
  return failures[0]
}

export async function reasonOf(call: (assert: TestAssert) => unknown): Promise<string | undefined> {
  return (await failureOf(call))?.reason
}

/** Evaluates code as if it were in a file of the user. */
export function inFile<Value>(file: string, lines: string[]): Value {
  return runInThisContext(lines.join('\n'), { filename: file }) as Value
}
