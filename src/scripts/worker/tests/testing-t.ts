import { freeze, isPromise } from '../../../json/equal/untouched.ts'
import type { FailureReason } from '../../protocol/report.ts'
import type { TestBridge, TestObject } from '../../protocol/testing.ts'
import { captureSite } from './call-site.ts'
import { createAssert } from './create-assert.ts'
import { describeKind } from './kind.ts'
import { runSubtestSteps, track } from './life.ts'
import { markFailed, openSubtest, requireRunning, type TestRecord } from './record.ts'
import { runSteps } from './steps.ts'
import { TestStop } from './stop.ts'
import { formatGivenReason, formatLog } from './words.ts'

/** Creates the `t` of a test. Its members also work on their own: `const { assert, log } = t`. */
export function createT(record: TestRecord, bridge: TestBridge): TestObject {
  const t: TestObject = {
    assert: createAssert(record, bridge),
    name: record.name,
    get failed() {
      return record.failed
    },
    ...createReporting(record, bridge),
    run: (name, body) => runSubtest(record, bridge, name, body),
    mock(name, replacement) {
      requireRunning(record, 't.mock')
      if (typeof name !== 'string' || name === '') throw new TypeError('t.mock needs the name of a process')
      bridge.mock(name, replacement)
    },
    cleanup(work) {
      requireRunning(record, 't.cleanup')
      requireFunction('t.cleanup', work)
      record.cleanups[record.cleanups.length] = work
    },
  }
  return freeze(t)
}

/** The methods with which a test logs, fails or skips. */
function createReporting(
  record: TestRecord,
  bridge: TestBridge,
): Pick<TestObject, 'log' | 'error' | 'fail' | 'fatal' | 'skip'> {
  return {
    log(...args) {
      requireRunning(record, 't.log')
      bridge.print(formatLog(args))
    },
    error(...args) {
      failWith(record, 't.error', args)
      bridge.print(`error: ${formatLog(args)}`)
    },
    fail(...args) {
      failWith(record, 't.fail', args)
    },
    fatal(...args) {
      failWith(record, 't.fatal', args)
      throw createStop(record, 'fatal', args)
    },
    skip(...args) {
      requireRunning(record, 't.skip')
      record.skipped ??= createReason('skipped', 'no reason given', args)
      throw createStop(record, 'skip', args)
    },
  }
}

function failWith(record: TestRecord, called: string, args: readonly unknown[]): void {
  requireRunning(record, called)
  markFailed(record, () => createReason('failed', `${called}() was called`, args))
}

function createReason(
  kind: 'failed' | 'skipped',
  otherwise: string,
  args: readonly unknown[],
): FailureReason {
  const at = captureSite()()
  return { kind, message: formatGivenReason(args) ?? otherwise, ...(at !== undefined && { at }) }
}

function createStop(record: TestRecord, kind: 'fatal' | 'skip', args: readonly unknown[]): TestStop {
  record.stopped = true
  const words = formatGivenReason(args)
  const reason = words === undefined ? '' : `: ${words}`
  return new TestStop(kind, record, `t.${kind}() ended the test "${record.name}"${reason}`)
}

function runSubtest(
  parent: TestRecord,
  bridge: TestBridge,
  name: string,
  body: (t: TestObject) => unknown,
): boolean | Promise<boolean> {
  requireRunning(parent, 't.run')
  if (typeof name !== 'string') throw new TypeError(`t.run needs a name, got ${describeKind(name)}`)
  requireFunction('t.run', body)
  const record = openSubtest(parent, name)
  const t = createT(record, bridge)
  const passed = runSteps(runSubtestSteps(record, () => body(t)))
  return isPromise(passed) ? track(parent, passed as Promise<boolean>) : passed
}

function requireFunction(called: string, work: unknown): void {
  if (typeof work !== 'function') throw new TypeError(`${called} needs a function, got ${describeKind(work)}`)
}
