import type { Agent } from '../../agents/agent.ts'
import type { ResolvedAgent } from '../../agents/resolved.ts'
import { type AuditAgent, auditAgents } from '../../cases/audit-agents.ts'
import type { Key } from '../../results/key.ts'
import { type FailingTools, withFailingTools } from './failing-tools.ts'
import { trivialAgents } from './trivial-agents.ts'

/** The agents of an audit. */
export interface Cast {
  /** By variant. */
  agents: ReadonlyMap<string, Agent>
  /** Why an agent under test has no counterpart with failing tools. */
  leftOut: readonly string[]
  /** The name of a variant in `audit_allows`. */
  nameOf(variant: string): AuditAgent
  /** The tools that failed in a play; undefined for agents without tools. */
  failedTools(key: Key): string[] | undefined
}

/** `underTest` are the agents that the cases were written for; it may be empty. */
export function createCast(underTest: ReadonlyMap<string, ResolvedAgent>): Cast {
  const failing = new Map<string, FailingTools>()
  const leftOut = underTest.size === 0 ? ['no agent was named or found'] : []
  for (const [variant, resolved] of underTest) {
    const reason = whyToolsCannotFail(resolved)
    if (reason !== undefined) leftOut.push(reason)
    else
      failing.set(
        underTest.size === 1 ? 'tools-fail' : `tools-fail:${variant}`,
        withFailingTools(resolved.agent),
      )
  }
  return {
    agents: new Map([
      ...trivialAgents(),
      ...[...failing].map(([variant, { agent }]) => [variant, agent] as const),
    ]),
    leftOut,
    nameOf: (variant) => auditAgents.find((name) => name === variant) ?? 'tools-fail',
    failedTools: (key) => failing.get(key.variant)?.failedIn(key),
  }
}

function whyToolsCannotFail({ agent, servers }: ResolvedAgent): string | undefined {
  if (agent.tools === 'served' || agent.tools === 'wrapped') return undefined
  return servers === undefined
    ? `${agent.id} runs its tools itself, so they cannot be made to fail`
    : `${agent.id} has no tools`
}
