import type { CaseResult, TerminationReason } from './result.ts'

/** After these ends there is no conversation, or not all of it. */
const brokenEnds = new Set<TerminationReason>([
  'infrastructure_error',
  'simulator_error',
  'no_initial_input',
  'skipped',
  'interrupted',
  'not_run',
  'internal',
])

/** What could not be judged. The conversation itself is complete. */
const faultsOfChecks = new Set([
  'judge_error',
  'judge_unknown',
  'script_error',
  'condition_error',
  'checkpoint_failed',
])

/** Whether a result has a complete conversation, which other checks may judge otherwise. */
export function isGradable({
  status,
  fault,
  failure,
  termination,
}: Pick<CaseResult, 'status' | 'fault' | 'failure' | 'termination'>): boolean {
  // Nobody answered the agent, but what was said until then may be judged.
  const hasReplies = status === 'passed' || status === 'failed' || termination.reason === 'missing_input'
  if (!hasReplies || brokenEnds.has(termination.reason)) return false
  if (fault === undefined || fault === 'agent') return true
  return fault === 'infrastructure' && faultsOfChecks.has(failure?.kind ?? '')
}
