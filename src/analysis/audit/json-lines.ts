import type { CaseResult } from '../../results/result.ts'
import type { Audit } from './audit.ts'
import type { Outcome } from './outcome.ts'

/** A line of `--json`: one case against one agent. */
export function outcomeLine({ key, line }: Pick<CaseResult, 'key' | 'line'>, outcome: Outcome): object {
  const place = { type: 'audit', agent: key.variant, case: key.id, file: key.file, line }
  if (outcome.kind === 'caught' || outcome.kind === 'not_judged')
    return { ...place, outcome: outcome.kind, reason: outcome.reason }
  if (outcome.kind !== 'passed') return { ...place, outcome: outcome.kind }
  const { checks, notEvaluated, endedBy, failedTools } = outcome
  return {
    ...place,
    outcome: outcome.kind,
    checks,
    not_evaluated: notEvaluated,
    ...(endedBy !== undefined && { ended_by: endedBy }),
    ...(failedTools && { failed_tools: failedTools }),
  }
}

/** The last line of `--json`. */
export function auditLine(audit: Audit): object {
  return {
    type: 'audit_summary',
    cases: audit.total,
    findings: audit.findings.map(({ id, file, line, passed }) => ({
      case: id,
      file,
      line,
      agents: passed.map(({ agent }) => agent),
    })),
    agents: Object.fromEntries(audit.counts),
    left_out: audit.leftOut,
    tools_fail_left_out: audit.withoutFailingTools,
    exit_code: audit.exitCode(),
  }
}
