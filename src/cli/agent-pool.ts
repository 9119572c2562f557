import type { Agent } from '../agents/agent.ts'
import { type AgentSources, resolveAgent } from '../agents/resolve.ts'

/** Agents that work for the tests, or are called by scripts: each made once. `-c` and `--stub-all` are not for them. */
export interface AgentPool {
  /** Throws `ConfigError` for one that is not there, or cannot be loaded in time. */
  agent(name: string): Promise<Agent>
  secrets(): string[]
}

export function createAgentPool(
  sources: Omit<AgentSources, 'connectorFlag' | 'stubAll' | 'loading'>,
  loadTimeoutMs: number,
): AgentPool {
  const agents = new Map<string, Promise<Agent>>()
  const secrets: string[] = []

  async function make(name: string): Promise<Agent> {
    const resolved = await resolveAgent(name, { ...sources, loading: AbortSignal.timeout(loadTimeoutMs) })
    secrets.push(...resolved.secrets)
    return resolved.agent
  }
  return {
    agent(name) {
      const made = agents.get(name) ?? make(name)
      agents.set(name, made)
      // What went wrong once may go well for the next one who asks.
      made.catch(() => agents.delete(name))
      return made
    },
    secrets: () => secrets,
  }
}
