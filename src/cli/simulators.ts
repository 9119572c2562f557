import type { Agent } from '../agents/agent.ts'
import { type AgentSources, agentProblem, resolveAgent } from '../agents/resolve.ts'
import type { Simulators } from '../cases/speakers.ts'
import { createVivaSimulator, vivaSimulator } from '../helper-agents/viva-simulator.ts'
import { startDeadline } from '../scope/deadline.ts'

export interface RunSimulators extends Simulators {
  /** Makes all that will be asked: one that cannot be loaded is found before anything is played. */
  load(uses: readonly string[], signal: AbortSignal): Promise<void>
  secrets(): string[]
}

/** The simulators of a run, each made once. `-c` and `--stub-all` are not for them. */
export function createSimulators(
  sources: Omit<AgentSources, 'connectorFlag' | 'stubAll'>,
  loadTimeoutMs: number,
): RunSimulators {
  const { connectors, project } = sources
  const agents = new Map<string, Agent>()
  const secrets: string[] = []
  const own = project.config.helpers?.connector

  async function make(use: string, loading: AbortSignal): Promise<Agent> {
    if (use === vivaSimulator) {
      return createVivaSimulator((connector) =>
        connectors.model(typeof connector === 'string' ? connector : (own ?? '')),
      )
    }
    const resolved = await resolveAgent(use, { ...sources, loading })
    secrets.push(...resolved.secrets)
    return resolved.agent
  }
  return {
    problem(use, connector) {
      if (use.startsWith('scripts:')) return `${use}: script simulators are not supported yet`
      const wrongConnector = connector === undefined ? undefined : connectors.problem(connector)
      if (wrongConnector !== undefined) return wrongConnector
      if (use !== vivaSimulator) return agentProblem(use, sources, connector !== undefined)
      if (connector === undefined && own === undefined) {
        return `${vivaSimulator} needs a connector: \`simulator.options.connector\`, or \`helpers.connector\` in the config`
      }
      return connector === undefined ? connectors.problem(own ?? '') : undefined
    },
    async agent(use) {
      const agent = agents.get(use)
      if (agent === undefined) throw new Error(`${use} was not loaded`)
      return agent
    },
    async load(uses, signal) {
      const limit = startDeadline(loadTimeoutMs, signal)
      try {
        for (const use of new Set(uses)) agents.set(use, await make(use, limit.signal))
      } finally {
        limit.release()
      }
    },
    secrets: () => secrets,
  }
}
