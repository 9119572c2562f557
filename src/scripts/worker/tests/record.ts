import { createObject } from '../../../json/equal/untouched.ts'
import { reasonLine } from '../../../text/reason-line.ts'
import type { AssertionFailure, FailureReason, SubtestReport, TestReport } from '../../protocol/report.ts'
import { findErrorSite } from './call-site.ts'
import { TestStop } from './stop.ts'
import { describeThrownReason } from './words.ts'

/** The state of a test or subtest while it runs. */
export interface TestRecord {
  readonly name: string
  /** Path below the test: `outer/inner`; empty for the test itself. */
  readonly path: string
  readonly parent: TestRecord | undefined
  readonly whole: Whole
  /** The names of its subtests. */
  readonly names: Record<string, true>
  readonly cleanups: (() => unknown)[]
  /** Promises that the test need not await itself. None of them rejects. */
  readonly pending: Promise<void>[]
  /** The running function, as the beginning of a reason: `BeforeEach: `. */
  phase: string
  failed: boolean
  reason: FailureReason | undefined
  skipped: FailureReason | undefined
  /** It was ended early. */
  stopped: boolean
  /** The test around it was ended from inside it. */
  outerStop: TestStop | undefined
  ended: boolean
}

/** Shared by a test and all its subtests. */
interface Whole {
  assertions: number
  failures: AssertionFailure[]
  subtests: SubtestReport[]
}

const maxFailures = 100

export function createRecord(name: string, parent?: TestRecord, path = ''): TestRecord {
  return {
    name,
    path,
    parent,
    whole: parent?.whole ?? { assertions: 0, failures: [], subtests: [] },
    names: createObject(null),
    cleanups: [],
    pending: [],
    phase: '',
    failed: false,
    reason: undefined,
    skipped: undefined,
    stopped: false,
    outerStop: undefined,
    ended: false,
  }
}

export function requireRunning(record: TestRecord, called: string): void {
  if (record.ended) throw new Error(`${called} was called after the test "${record.name}" had ended`)
}

/** Fails the test and those around it. The first reason stays. */
export function markFailed(record: TestRecord, describe: () => FailureReason): void {
  // Before the reason is described: even if that goes wrong, the test has failed.
  for (let at: TestRecord | undefined = record; at !== undefined; at = at.parent) at.failed = true
  const reason = describeOrUnknown(describe)
  // The first reason is the headline; other problems are listed beside the assertions.
  if (record.reason !== undefined && reason.kind !== 'assertion')
    addFailure(record, { type: reason.kind, reason: reason.message, ...(reason.at && { at: reason.at }) })
  for (let at: TestRecord | undefined = record; at !== undefined; at = at.parent) {
    at.reason ??= { ...reason, message: `${describeRecordPath(at, record)}${reason.message}` }
  }
}

function describeOrUnknown(describe: () => FailureReason): FailureReason {
  try {
    return describe()
  } catch {
    return { kind: 'failed', message: 'it failed for a reason that cannot be shown' }
  }
}

/** Whether the details of another failed assertion are worth the time. */
export function wantsDetails(record: TestRecord): boolean {
  return record.whole.failures.length < maxFailures || record.reason === undefined
}

export function addFailure(record: TestRecord, failure: AssertionFailure): void {
  const { failures } = record.whole
  if (failures.length >= maxFailures) return
  let root = record
  while (root.parent !== undefined) root = root.parent
  failures[failures.length] = { ...failure, reason: `${describeRecordPath(root, record)}${failure.reason}` }
}

/** `BeforeEach: `, `outer/inner: ` */
function describeRecordPath(from: TestRecord, to: TestRecord): string {
  if (from === to) return to.phase
  const path = from.path === '' ? to.path : to.path.slice(from.path.length + 1)
  return `${from.phase}${path}: ${to.phase}`
}

/** Records what ended a function of the user. */
export function recordThrown(record: TestRecord, error: unknown): void {
  record.stopped = true
  if (!TestStop.is(error)) markFailed(record, () => toThrownReason(error))
  else if (error.owner !== record) recordForeignStop(record, error)
}

/** Ending a test from inside its subtest ends both; any other confusion of tests is a mistake. */
function recordForeignStop(record: TestRecord, stop: TestStop): void {
  for (let at = record.parent; at !== undefined; at = at.parent)
    if (at === stop.owner) record.outerStop = stop
  if (record.outerStop !== undefined && stop.kind === 'skip') {
    record.skipped ??= { kind: 'skipped', message: stop.message }
  } else {
    markFailed(record, () => ({ kind: 'failed', message: stop.message }))
  }
}

export function toThrownReason(error: unknown): FailureReason {
  const at = findErrorSite(error)
  const infrastructure = findInfrastructureKind(error)
  return {
    kind: 'threw',
    message: describeThrownReason(error),
    ...(at !== undefined && { at }),
    ...(infrastructure !== undefined && { infrastructure }),
  }
}

/** Searches the error and its causes. */
export function findInfrastructureKind(error: unknown, depth = 0): string | undefined {
  try {
    const { vivaInfrastructure, cause } = error as { vivaInfrastructure?: unknown; cause?: unknown }
    if (typeof vivaInfrastructure === 'string') return vivaInfrastructure
    return typeof cause === 'object' && cause !== null && depth < 4
      ? findInfrastructureKind(cause, depth + 1)
      : undefined
  } catch {
    return undefined
  }
}

/** Opens a subtest with a name that is unique among its siblings: `retry`, `retry#01`. */
export function openSubtest(parent: TestRecord, wanted: string): TestRecord {
  const base = reasonLine(wanted)
  let name = base
  for (let count = 1; parent.names[name] === true || name === ''; count++) {
    name = `${base}#${count < 10 ? '0' : ''}${count}`
  }
  parent.names[name] = true
  const path = parent.path === '' ? name : `${parent.path}/${name}`
  return createRecord(`${parent.name}/${name}`, parent, path)
}

export function testStatus({ failed, skipped }: TestRecord): TestReport['status'] {
  if (failed) return 'failed'
  return skipped === undefined ? 'passed' : 'skipped'
}

/** What came of it, without what only the test as a whole has. */
export function testOutcome(record: TestRecord): Pick<TestReport, 'status' | 'reason'> {
  const status = testStatus(record)
  const reason = status === 'failed' ? record.reason : record.skipped
  return { status, ...(reason !== undefined && { reason }) }
}
