import type { Agent } from '../agents/agent.ts'
import { type AgentSources, agentProblem } from '../agents/resolve.ts'
import type { Simulators } from '../cases/speakers.ts'
import { scriptAgent } from '../helper-agents/script-agent.ts'
import { createVivaSimulator, vivaSimulator } from '../helper-agents/viva-simulator.ts'
import { untilAborted } from '../scope/deadline.ts'
import type { AgentPool } from './agent-pool.ts'
import type { CaseScripts, ScriptCalls } from './case-scripts.ts'

export interface RunSimulators {
  /** For cases in this folder: scripts are looked for beside them too. */
  in(folder: string): Simulators
  /** The same for agents that judge replies. */
  validatorsIn(folder: string): Simulators
  /** Makes all agents that will be asked: one that cannot be loaded is found before anything is played. */
  load(uses: readonly string[], signal: AbortSignal): Promise<void>
}

/** The simulators of a run: agents, scripts and the built-in one. */
export function createSimulators(
  sources: Omit<AgentSources, 'connectorFlag' | 'stubAll'>,
  pool: AgentPool,
  caseScripts: CaseScripts,
): RunSimulators {
  const { connectors, project } = sources
  const agents = new Map<string, Agent>()
  const own = project.config.helpers?.connector

  function make(use: string): Agent | Promise<Agent> {
    if (use !== vivaSimulator) return pool.agent(use)
    return createVivaSimulator((connector) =>
      connectors.model(typeof connector === 'string' ? connector : (own ?? '')),
    )
  }
  const agentsOnly: Simulators = {
    problem(use, connector) {
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
  }
  return {
    in: (folder) => withScripts(agentsOnly, caseScripts.in(folder)),
    validatorsIn(folder) {
      const { agent, problem } = this.in(folder)
      return {
        agent,
        problem: (use, connector) =>
          use === vivaSimulator ? `${use} plays users, it judges nothing` : problem(use, connector),
      }
    },
    async load(uses, signal) {
      for (const use of new Set(uses)) {
        if (!isScript(use)) agents.set(use, await untilAborted(Promise.resolve(make(use)), signal))
      }
    },
  }
}

function isScript(use: string): boolean {
  return use.startsWith('scripts:')
}

function withScripts(agents: Simulators, scripts: ScriptCalls): Simulators {
  return {
    problem(use, connector) {
      if (!isScript(use)) return agents.problem(use, connector)
      if (connector === undefined) return scripts.scriptProblem(use)
      return `${use} is a script: it has no connector to choose`
    },
    async agent(use) {
      if (!isScript(use)) return agents.agent(use)
      return scriptAgent(use, (params, scope) => scripts.callScript(use, (ctx) => [params, ctx], scope))
    },
  }
}
