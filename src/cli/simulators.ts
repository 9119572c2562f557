import type { Agent } from '../agents/agent.ts'
import { type AgentSources, agentProblem } from '../agents/resolve.ts'
import type { Simulators } from '../cases/speakers.ts'
import { scriptAgent } from '../helper-agents/script-agent.ts'
import { createVivaJudge, vivaJudge, vivaValidator } from '../helper-agents/viva-judge.ts'
import { createVivaSimulator, vivaSimulator } from '../helper-agents/viva-simulator.ts'
import { untilAborted } from '../scope/deadline.ts'
import type { AgentPool } from './agent-pool.ts'
import type { CaseScripts, ScriptCalls } from './case-scripts.ts'

const builtIn = [vivaSimulator, vivaJudge, vivaValidator]

export interface RunSimulators {
  /** For cases in this folder: scripts are looked for beside them too. */
  in(folder: string): Simulators
  /** The same for agents that judge replies. Those that are asked for are loaded with the others. */
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
  const validators = new Set<string>()
  const own = project.config.helpers?.connector

  const model = (connector: unknown) =>
    connectors.model(typeof connector === 'string' ? connector : (own ?? ''))

  function make(use: string): Agent | Promise<Agent> {
    if (use === vivaSimulator) return createVivaSimulator(model)
    return use === vivaJudge || use === vivaValidator ? createVivaJudge(use, model) : pool.agent(use)
  }
  const agentsOnly: Simulators = {
    problem(use, connector) {
      const wrongConnector = connector === undefined ? undefined : connectors.problem(connector)
      if (wrongConnector !== undefined) return wrongConnector
      if (!use.startsWith('viva.')) return agentProblem(use, sources, connector !== undefined)
      if (!builtIn.includes(use)) return `there is no ${use} (there are: ${builtIn.join(', ')})`
      if (connector === undefined && own === undefined) {
        const where = use === vivaSimulator ? 'simulator.options.connector' : 'options.connector'
        return `${use} needs a connector: \`${where}\`, or \`helpers.connector\` in the config`
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
      const found = this.in(folder)
      return {
        agent: found.agent,
        problem(use, connector) {
          validators.add(use)
          return use === vivaSimulator
            ? `${use} plays users, it judges nothing`
            : found.problem(use, connector)
        },
      }
    },
    async load(uses, signal) {
      for (const use of new Set([...uses, ...validators])) {
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
