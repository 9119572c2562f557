import type { Agent } from '../../agents/agent.ts'
import type { ResolvedAgent } from '../../agents/resolved.ts'
import { type AuditAgent, auditAgentOf } from '../../cases/audit-agents.ts'
import type { CaseResult } from '../../results/result.ts'
import { type FailingTools, withFailingTools } from './failing-tools.ts'
import { trivialAgents } from './trivial-agents.ts'

/** The agents of an audit. */
export interface Cast {
  /** By variant; suites have theirs elsewhere. */
  agents: ReadonlyMap<string, Agent>
  /** All variants, those of suites too. */
  variants: readonly string[]
  /** The variants that play the cases of a suite with that agent. */
  suiteVariants(agent: string): string[]
  /** Why an agent under test has no counterpart with failing tools. */
  leftOut: readonly string[]
  /** The name of a variant in `audit_allows`. */
  nameOf(variant: string): AuditAgent
  /** The tools that failed in a play; undefined for agents without tools. */
  failedTools(result: CaseResult): string[] | undefined
}

/** Suites bring their agents. */
export interface AuditedSuites {
  agents: ReadonlySet<string>
  /** There are no other cases. */
  only: boolean
}

/** `underTest` are the agents that the cases were written for; it may be empty. */
export function createCast(
  underTest: ReadonlyMap<string, ResolvedAgent>,
  suites: AuditedSuites = { agents: new Set(), only: false },
): Cast {
  const failing = new Map<string, FailingTools>()
  const leftOut = underTest.size === 0 && !suites.only ? ['no agent was named or found'] : []
  const isAlone = underTest.size + suites.agents.size === 1
  const failingName = (agent: string) => (isAlone ? 'tools-fail' : `tools-fail:${agent}`)
  for (const [variant, resolved] of underTest) {
    const reason = whyToolsCannotFail(resolved)
    if (reason !== undefined) leftOut.push(reason)
    else failing.set(failingName(variant), withFailingTools(resolved.agent))
  }
  const trivial = trivialAgents()
  const suiteNames = [...suites.agents].map(failingName)
  return {
    agents: new Map<string, Agent>([
      ...trivial,
      ...[...failing].map(([variant, { agent }]) => [variant, agent] as const),
    ]),
    variants: [...new Set([...trivial.keys(), ...failing.keys(), ...suiteNames])],
    suiteVariants: (agent) => [...trivial.keys(), failingName(agent)],
    leftOut,
    nameOf: auditAgentOf,
    failedTools(result) {
      const { variant } = result.key
      if (auditAgentOf(variant) !== 'tools-fail') return undefined
      const failed = failing.get(variant)?.failedIn(result.key) ?? []
      return [...new Set([...failed, ...listFailedTools(result)])]
    },
  }
}

/** Those of a suite failed in another process: its result has them. */
function listFailedTools({ view }: CaseResult): string[] {
  const calls = view.turns.flatMap(({ reply }) =>
    reply === undefined || reply.toolCalls === 'hidden' ? [] : reply.toolCalls,
  )
  return calls.flatMap(({ name, stubbed, error }) => (stubbed && error !== undefined ? [name] : []))
}

function whyToolsCannotFail({ agent, servers }: ResolvedAgent): string | undefined {
  if (agent.tools === 'served' || agent.tools === 'wrapped') return undefined
  return servers === undefined
    ? `${agent.id} runs its tools itself, so they cannot be made to fail`
    : `${agent.id} has no tools`
}
