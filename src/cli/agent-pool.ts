import type { Agent } from '../agents/agent.ts'
import type { OtherAgents } from '../agents/package.ts'
import { type AgentSources, resolveAgent } from '../agents/resolve.ts'

/** Agents that work for the tests, or are called by scripts: each made once. `-c` and `--stub-all` are not for them. */
export interface AgentPool extends OtherAgents {
  secrets(): string[]
}

export function createAgentPool(
  sources: Omit<AgentSources, 'connectorFlag' | 'stubAll' | 'loading' | 'others'>,
  loadTimeoutMs: number,
): AgentPool {
  const agents = new Map<string, Promise<Agent>>()
  const secrets: string[] = []

  async function make(name: string): Promise<Agent> {
    const loading = AbortSignal.timeout(loadTimeoutMs)
    const resolved = await resolveAgent(name, { ...sources, loading, others: pool })
    secrets.push(...resolved.secrets)
    return resolved.agent
  }
  const pool: AgentPool = {
    agent(name) {
      const made = agents.get(name) ?? make(name)
      agents.set(name, made)
      // What went wrong once may go well for the next one who asks.
      made.catch(() => agents.delete(name))
      return made
    },
    secrets: () => secrets,
  }
  return pool
}
