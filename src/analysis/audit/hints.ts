import { compact } from '../../json/defined.ts'
import type { AuditedCase } from './audit.ts'

/** Advice for a case that passes but should fail, the shortest first. */
export function suggestChecks({ passed }: Pick<AuditedCase, 'passed'>, isInSuite: boolean): string[] {
  const agents = passed.map(({ agent }) => agent)
  const trivial = agents.filter((agent) => !agent.startsWith('tools-fail'))
  const byNothing = passed.some(({ outcome }) => outcome.checks.every(({ negative }) => negative))
  return compact([
    byNothing &&
      trivial.length > 0 &&
      'check for something that a correct reply has: contains, regex, json_path, tool_called, state or judge',
    !byNothing && agents.includes('echo') && 'check for something that the user did not say',
    !byNothing &&
      agents.includes('done') &&
      'check what was done, not what the agent claims: tool_called, tool_result, state',
    trivial.length < agents.length &&
      'check the results of tools: tool_result, state, or facts that the agent can only know from them',
    agents.includes('refusing') &&
      `if a refusal is correct, say so: ${isInSuite ? "auditAllows: ['refusing']" : '"audit_allows": ["refusing"]'}`,
  ])
}
