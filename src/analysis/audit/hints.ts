import type { AuditedCase } from './audit.ts'

/** What to add to a case that passes, shortest first. */
export function hintsFor({ passed }: Pick<AuditedCase, 'passed'>): string[] {
  const agents = passed.map(({ agent }) => agent)
  const trivial = agents.filter((agent) => !agent.startsWith('tools-fail'))
  const byNothing = passed.some(({ outcome }) => outcome.checks.every(({ negative }) => negative))
  return [
    ...(byNothing && trivial.length > 0
      ? ['add what a right reply has: contains, regex, json_path, tool_called, state or judge']
      : []),
    ...(!byNothing && agents.includes('echo') ? ['check for something that the user did not say'] : []),
    ...(!byNothing && agents.includes('done')
      ? ['check what was done, not that it says so: tool_called, tool_result, state']
      : []),
    ...(agents.some((agent) => agent.startsWith('tools-fail'))
      ? ['check what came of the tools: tool_result, state, or what only their results can have told it']
      : []),
    ...(agents.includes('refusing') ? ['if it must be refused, say so: "audit_allows": ["refusing"]'] : []),
  ]
}
