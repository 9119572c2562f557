/** The agents of `viva audit`. No case should pass against them unless it allows it. */
export const auditAgents = ['silent', 'echo', 'refusing', 'done', 'tools-fail'] as const

export type AuditAgent = (typeof auditAgents)[number]

/** The agent behind the name of a variant; an agent whose tools fail is one of several. */
export function auditAgentOf(variant: string): AuditAgent {
  return auditAgents.find((name) => name === variant) ?? 'tools-fail'
}
