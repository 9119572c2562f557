import { freeze, hasOwn, isPromise } from '../../../json/equal/untouched.ts'
import { reasonLine } from '../../../text/reason-line.ts'
import type { AssertionFailure, FailureReason } from '../../protocol/report.ts'
import type { TestAssert, TestBridge } from '../../protocol/testing.ts'
import { isThenable } from '../is-function.ts'
import {
  type AssertVerdict,
  type FailedVerdict,
  failVerdict,
  held,
  type TestAssertion,
} from './assert/definition.ts'
import { definitions } from './assert/table.ts'
import { captureSite } from './call-site.ts'
import { track } from './life.ts'
import { toPlainValue } from './plain-value.ts'
import {
  addFailure,
  markFailed,
  requireRunning,
  type TestRecord,
  toThrownReason,
  wantsDetails,
} from './record.ts'
import { describeThrownError } from './show-value.ts'
import { TestStop } from './stop.ts'
import { formatGivenReason } from './words.ts'

/** One call of an assertion. */
interface Call {
  record: TestRecord
  bridge: TestBridge
  name: string
  definition: TestAssertion
  args: readonly unknown[]
}

const all = Object.entries(definitions)

export function createAssert(record: TestRecord, bridge: TestBridge): TestAssert {
  const assert: Record<string, unknown> = {}
  for (let index = 0; index < all.length; index++) {
    const { 0: name, 1: definition } = all[index] as [string, TestAssertion]
    assert[name] = (...args: unknown[]) => callAssertion({ record, bridge, name, definition, args })
  }
  // The table has a definition for every name of the interface.
  return freeze(assert) as unknown as TestAssert
}

function callAssertion(call: Call): boolean | Promise<boolean> {
  const { record, name } = call
  requireRunning(record, `t.assert.${name}`)
  record.whole.assertions += 1
  const verdict = judge(call)
  // Captured now, while the caller is still on the stack.
  const site = verdict === held ? noSite : captureSite()
  return isPromise(verdict)
    ? track(record, settleLater(call, verdict as Promise<AssertVerdict>, site))
    : settle(call, verdict, site)
}

function noSite(): undefined {}

/** An assertion that cannot be judged does not hold. */
function judge(call: Call): AssertVerdict | Promise<AssertVerdict> {
  try {
    const { args, definition, bridge } = call
    return findArgumentProblem(call) ?? definition.judge(args[0], args[1], args[2], bridge)
  } catch (error) {
    return toUnjudged(call, error)
  }
}

function toUnjudged({ args }: Call, error: unknown): FailedVerdict {
  if (TestStop.is(error)) throw error
  return { reason: `could not be judged: ${describeThrownError(error)}`, actual: args[0] }
}

/** Finds a missing argument, or a promise that somebody forgot to await. */
function findArgumentProblem({ name, definition, args }: Call): FailedVerdict | undefined {
  const { takes, takesPromises = false } = definition
  for (let index = 0; index < takes.length; index++) {
    if (index >= args.length) return failVerdict(`${name} needs ${takes[index]}`)
    if (takesPromises || !isThenable(args[index])) continue
    return failVerdict(`${takes[index]} is a promise: await it`, 'a value', 'a promise')
  }
  return undefined
}

async function settleLater(
  call: Call,
  verdict: Promise<AssertVerdict>,
  site: () => string | undefined,
): Promise<boolean> {
  try {
    return settle(call, await verdict, site)
  } catch (error) {
    return settle(call, toUnjudged(call, error), site)
  }
}

function settle(call: Call, verdict: AssertVerdict, site: () => string | undefined): boolean {
  if (verdict === held) return true
  const { record } = call
  let failure: AssertionFailure | undefined
  const isWanted = wantsDetails(record)
  markFailed(record, () => {
    failure = isWanted ? describeFailure(call, verdict, site()) : undefined
    return toFailureHeadline(failure, verdict)
  })
  if (isWanted) addFailure(record, failure ?? { type: call.name, reason: 'it did not hold' })
  return false
}

function describeFailure(
  { name, definition, args }: Call,
  verdict: FailedVerdict,
  at: string | undefined,
): AssertionFailure {
  const message = formatGivenReason([args[definition.messageAt?.(args) ?? definition.takes.length]])
  const reason = verdict.reason === '' ? describeThrownError(verdict.thrown) : verdict.reason
  return {
    type: name,
    reason: reasonLine(reason),
    ...(message !== undefined && { message }),
    ...(hasOwn(verdict, 'expected') && { expected: toPlainValue(verdict.expected) }),
    ...(hasOwn(verdict, 'actual') && { actual: toPlainValue(verdict.actual) }),
    ...(at !== undefined && { at }),
  }
}

function toFailureHeadline(failure: AssertionFailure | undefined, verdict: FailedVerdict): FailureReason {
  const { message, reason, at } = failure ?? { reason: 'it did not hold' }
  const place = at === undefined ? {} : { at }
  if (hasOwn(verdict, 'thrown')) return { ...toThrownReason(verdict.thrown), ...place }
  return { kind: 'assertion', message: `assertion failed: ${message ?? reason}`, ...place }
}
