import { now } from '../../../json/equal/untouched.ts'
import { isThenable } from '../is-function.ts'
import { recordThrown, type TestRecord, testOutcome } from './record.ts'
import type { Steps } from './steps.ts'

export interface TestFunctions {
  beforeEach?: (() => unknown) | undefined
  test: () => unknown
  afterEach?: (() => unknown) | undefined
}

/** Runs a test from its BeforeEach to its last cleanup. Each of the functions may be async. */
export function* runTestSteps(
  record: TestRecord,
  { beforeEach, test, afterEach }: TestFunctions,
): Steps<void> {
  if (beforeEach !== undefined) yield* attempt(record, 'BeforeEach: ', beforeEach)
  if (!record.stopped) yield* attempt(record, '', test)
  if (afterEach !== undefined) yield* attempt(record, 'AfterEach: ', afterEach)
  yield* cleanUp(record)
  record.ended = true
}

/** Runs a subtest and returns whether it did not fail. */
export function* runSubtestSteps(record: TestRecord, body: () => unknown): Steps<boolean> {
  const { subtests } = record.whole
  const startedAt = now()
  const place = subtests.length
  // Added now, so that subtests are in the order in which they began.
  subtests[place] = { name: record.path, status: 'passed', durationMs: 0 }
  yield* attempt(record, '', body)
  yield* cleanUp(record)
  record.ended = true
  subtests[place] = { name: record.path, ...testOutcome(record), durationMs: now() - startedAt }
  if (record.outerStop !== undefined) throw record.outerStop
  return !record.failed
}

/** Calls a function of the user, and awaits it and the promises it left behind. */
function* attempt(record: TestRecord, phase: string, work: () => unknown): Steps<void> {
  record.phase = phase
  try {
    const result = work()
    if (isThenable(result)) yield result
  } catch (error) {
    recordThrown(record, error)
  }
  while (record.pending.length > 0) yield* settlePending(record)
}

function* settlePending({ pending }: TestRecord): Steps<void> {
  const promise = pending[pending.length - 1]
  pending.length -= 1
  if (promise !== undefined) yield promise
}

/** Runs cleanups in reverse order. An error in one does not keep the others from running. */
function* cleanUp(record: TestRecord): Steps<void> {
  const { cleanups } = record
  while (cleanups.length > 0) {
    const work = cleanups[cleanups.length - 1]
    cleanups.length -= 1
    if (work !== undefined) yield* attempt(record, 'cleanup: ', work)
  }
}

/** Makes the test wait for a promise before it ends. A rejection is ignored: its meaning is already recorded. */
export function track<Result>(record: TestRecord, promise: Promise<Result>): Promise<Result> {
  record.pending[record.pending.length] = ignoreRejection(promise)
  return promise
}

async function ignoreRejection(promise: Promise<unknown>): Promise<void> {
  try {
    await promise
  } catch {}
}
