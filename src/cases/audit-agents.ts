/** The agents of `viva audit`, against which no case should pass unless it says so. */
export const auditAgents = ['silent', 'echo', 'refusing', 'done', 'tools-fail'] as const

export type AuditAgent = (typeof auditAgents)[number]
