import type { CaseResult } from './result.ts'

/** Whether it was skipped without an error. One that was skipped because something failed is an infrastructure error. */
export function isSkip({ status, fault }: Pick<CaseResult, 'status' | 'fault'>): boolean {
  return status === 'skipped' && fault !== 'infrastructure'
}

/**
 * What a result says about the agent. Undefined if it says nothing: it could not be judged, did not finish, or its author
 * expects the case to fail, so that no gate applies.
 */
export function classifyTrial({
  status,
  fault,
  expectedFailure,
}: Pick<CaseResult, 'status' | 'fault' | 'expectedFailure'>): 'passed' | 'failed' | undefined {
  if (expectedFailure !== undefined) return undefined
  if (status === 'passed') return 'passed'
  return status === 'failed' && fault === 'agent' ? 'failed' : undefined
}
