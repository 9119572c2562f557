import type { Agent } from '../../agents/agent.ts'
import { namedAgentProblem } from '../../agents/agent-names.ts'
import type { OtherAgents } from '../../agents/package/package.ts'
import { resolveAgent } from '../../agents/resolve.ts'
import type { AgentSources } from '../../agents/resolved.ts'
import { ConfigError } from '../../errors.ts'

/** Agents that work for the tests, or are called by scripts: each made once. `-c` and `--stub-all` are not for them. */
export interface AgentPool {
  /** By all that `-n` takes. Throws `ConfigError` for one that is not there, or cannot be loaded in time. */
  agent(reference: string): Promise<Agent>
  /** For hooks and scripts, which may have the name from a model: a text must not become a command. */
  named: OtherAgents
  secrets(): string[]
}

export function createAgentPool(
  sources: Omit<AgentSources, 'connectorFlag' | 'stubAll' | 'loading' | 'others'>,
  loading: AbortSignal,
): AgentPool {
  const agents = new Map<string, Promise<Agent>>()
  const secrets: string[] = []

  async function make(reference: string): Promise<Agent> {
    const resolved = await resolveAgent(reference, { ...sources, loading, others: named })
    secrets.push(...resolved.secrets)
    return resolved.agent
  }
  function agent(reference: string): Promise<Agent> {
    const made = agents.get(reference) ?? make(reference)
    agents.set(reference, made)
    // What went wrong once may go well for the next one who asks.
    made.catch(() => agents.delete(reference))
    return made
  }
  const named: OtherAgents = {
    problem: (name) => namedAgentProblem(name, sources.project),
    async agent(name) {
      const message = this.problem(name)
      if (message !== undefined) throw new ConfigError({ code: 'unknown_agent', message })
      return agent(name)
    },
  }
  return { agent, named, secrets: () => secrets }
}
