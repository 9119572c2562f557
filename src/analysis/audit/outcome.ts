import type { AuditAgent } from '../../cases/audit-agents.ts'
import { defined } from '../../json/defined.ts'
import type { CaseResult } from '../../results/result.ts'
import { listPassedChecks, type PassedCheck } from './held-checks.ts'

/** What came of one case against one agent that must not pass. */
export type AuditOutcome =
  | { kind: 'caught'; reason: string }
  /** It could not be judged. `broken`: something must be fixed first. */
  | { kind: 'not_judged'; reason: string; broken: boolean }
  /** It passes, and its author allows that. */
  | { kind: 'allowed' }
  /** It passes, but the agent called no tool, so failing tools made no difference. */
  | { kind: 'no_tool_called' }
  | Passed

/** It passes but should fail. */
export interface Passed {
  kind: 'passed'
  checks: PassedCheck[]
  /** The types of the checks that were not evaluated. */
  notEvaluated: string[]
  /** The condition that ended the conversation. */
  endedBy?: string
  /** The tools that were called and failed. */
  failedTools?: string[]
}

export interface PlayedAgainst {
  agent: AuditAgent
  allowed: readonly AuditAgent[]
  /** Undefined for agents that have no tools. */
  failedTools: string[] | undefined
}

export function auditOutcome(
  result: CaseResult,
  { agent, allowed, failedTools }: PlayedAgainst,
): AuditOutcome {
  const { status, fault, failure, termination, unevaluated } = result
  const reason = failure?.message || termination.detail || termination.reason
  if (status === 'failed' && fault === 'agent') return { kind: 'caught', reason }
  if (status !== 'passed') {
    // With an agent that gets nowhere, a simulated user runs out of things to say: that is not an infrastructure problem.
    const broken = failure?.kind !== 'simulator_error' && (status !== 'skipped' || fault !== undefined)
    return { kind: 'not_judged', reason, broken }
  }
  if (failedTools?.length === 0) return { kind: 'no_tool_called' }
  if (allowed.includes(agent)) return { kind: 'allowed' }
  const endedBy = termination.reason === 'condition_met' ? termination.detail : undefined
  const checks = listPassedChecks(result)
  return { kind: 'passed', checks, notEvaluated: unevaluated, ...defined({ endedBy, failedTools }) }
}
