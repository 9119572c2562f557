import { defined } from '../json/defined.ts'
import type { CaseResult, Failure, TerminationReason } from '../results/result.ts'
import type { CheckResult } from '../results/transcript/check-result.ts'
import type { AssertionFailure, FailureReason, TestReport } from '../scripts/protocol/report.ts'
import { relativePath } from '../system/relative-path.ts'

/** Makes the result of a test from the report of its worker. */
export function createTestResult(
  report: TestReport,
  base: CaseResult,
  { root, requireChecks }: { root: string; requireChecks: boolean },
): CaseResult {
  const unchecked = report.status === 'passed' && report.assertions === 0
  const judged: CaseResult = {
    ...base,
    status: report.status,
    termination: { reason: 'completed', detail: '' },
    finals: report.failures.map((failure) => createCheck(failure, root)),
    unchecked,
    script: {
      assertions: report.assertions,
      subtests: report.subtests.map(({ name, status, durationMs, reason }) => ({
        name,
        status,
        durationMs,
        ...(reason !== undefined && { reason: reason.message }),
      })),
    },
    durationMs: report.durationMs,
  }
  if (unchecked && requireChecks)
    return failedResult({ kind: 'failed', message: 'it asserts nothing (--require-checks)' }, judged, root)
  if (report.status === 'passed') return judged
  const reason = report.reason ?? { kind: 'failed', message: 'failed' }
  if (report.status === 'failed') return failedResult(reason, judged, root)
  const termination = { reason: 'skipped', detail: reason.message } as const
  return { ...judged, failure: { kind: 'skipped', message: reason.message }, termination }
}

/** Makes a failed result, whatever the result was before. */
export function failedResult(reason: FailureReason, base: CaseResult, root: string): CaseResult {
  const failure: Failure = { kind: classifyFailure(reason), message: messageWithPlace(reason, root) }
  return {
    ...base,
    status: 'failed',
    unchecked: false,
    // Scripts that call each other endlessly are at fault themselves.
    fault:
      reason.infrastructure === undefined || reason.infrastructure === 'too_deep'
        ? 'agent'
        : 'infrastructure',
    failure,
    termination: { reason: classifyTermination(reason), detail: failure.message },
  }
}

function classifyFailure({ kind, infrastructure }: FailureReason): string {
  if (infrastructure !== undefined) return infrastructure
  return {
    assertion: 'assertion',
    failed: 'failed',
    timeout: 'timeout',
    skipped: 'skipped',
    threw: 'script_error',
    crashed: 'script_error',
  }[kind]
}

function classifyTermination({ kind, infrastructure }: FailureReason): TerminationReason {
  if (kind === 'timeout') return 'timeout'
  if (infrastructure !== undefined) return 'infrastructure_error'
  return kind === 'threw' || kind === 'crashed' ? 'agent_error' : 'completed'
}

/** Adds the place to the message; assertions already have it. */
function messageWithPlace({ kind, message, at }: FailureReason, root: string): string {
  return kind === 'assertion' || at === undefined ? message : `${message} (${relativePath(root, at)})`
}

function createCheck(
  { type, reason, message, expected, actual, at }: AssertionFailure,
  root: string,
): CheckResult {
  return {
    type,
    status: 'failed',
    gates: true,
    reason: message === undefined ? reason : `${message}: ${reason}`,
    ...(expected !== undefined && { expected }),
    ...(actual !== undefined && { actual }),
    fields: defined({ message, at: at && relativePath(root, at) }),
  }
}
