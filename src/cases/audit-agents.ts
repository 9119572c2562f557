/** The agents of `viva audit`. No case should pass against them unless it allows it. */
export const auditAgents = ['silent', 'echo', 'refusing', 'done', 'tools-fail'] as const

export type AuditAgent = (typeof auditAgents)[number]
