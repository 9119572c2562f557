import { defined } from '../../json/defined.ts'
import type { CaseResult } from '../../results/result.ts'
import type { Audit } from './audit.ts'
import type { AuditOutcome } from './outcome.ts'

/** One case against one agent: a line of `--json`. */
export function outcomeLine({ key, line }: Pick<CaseResult, 'key' | 'line'>, outcome: AuditOutcome): object {
  const place = { type: 'audit', agent: key.variant, case: key.id, file: key.file, line }
  if (outcome.kind === 'caught' || outcome.kind === 'not_judged')
    return { ...place, outcome: outcome.kind, reason: outcome.reason }
  if (outcome.kind !== 'passed') return { ...place, outcome: outcome.kind }
  const { checks, notEvaluated, endedBy, failedTools } = outcome
  const more = defined({ ended_by: endedBy, failed_tools: failedTools })
  return { ...place, outcome: outcome.kind, checks, not_evaluated: notEvaluated, ...more }
}

/** The last line of `--json`. */
export function auditLine(audit: Audit): object {
  return {
    type: 'audit_summary',
    cases: audit.auditable.entries.length,
    findings: audit.findings.map(({ id, file, line, passed }) => ({
      case: id,
      file,
      line,
      agents: passed.map(({ agent }) => agent),
    })),
    agents: Object.fromEntries(audit.counts),
    left_out: audit.auditable.leftOut,
    tools_fail_left_out: audit.cast.leftOut,
    exit_code: audit.exitCode(),
  }
}
