import type { CaseResult } from './result.ts'

/** Its author, or the conversation, left it out: nobody failed. One that is skipped because something broke is an infrastructure error. */
export function isSkip({ status, fault }: Pick<CaseResult, 'status' | 'fault'>): boolean {
  return status === 'skipped' && fault !== 'infrastructure'
}

/**
 * What a result says about the agent. Undefined where it says nothing: what could not be judged or did not finish, and
 * cases that their author expects to fail, which are behind no gate, whatever becomes of them.
 */
export function trialOf({
  status,
  fault,
  expectedFailure,
}: Pick<CaseResult, 'status' | 'fault' | 'expectedFailure'>): 'passed' | 'failed' | undefined {
  if (expectedFailure !== undefined) return undefined
  if (status === 'passed') return 'passed'
  return status === 'failed' && fault === 'agent' ? 'failed' : undefined
}
