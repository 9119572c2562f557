import type { Agent } from '../../agents/agent.ts'
import { builtInPurposes, createBuiltIn } from '../../agents/helpers/built-in.ts'
import { scriptAgent } from '../../agents/helpers/script-agent.ts'
import { vivaSimulator } from '../../agents/helpers/viva-simulator.ts'
import { agentProblem } from '../../agents/resolve.ts'
import { locateModule } from '../../agents/resolve-reference.ts'
import type { AgentSources } from '../../agents/resolved.ts'
import type { AgentLookup } from '../../cases/speakers.ts'
import { ConfigError } from '../../errors.ts'
import { untilAborted } from '../../scope/deadline.ts'
import type { AgentPool } from './agent-pool.ts'
import type { CaseScripts, ScriptCalls } from './case-scripts.ts'

const builtIn: Record<string, Purpose> = builtInPurposes

type Purpose = (typeof builtInPurposes)[keyof typeof builtInPurposes] | 'write reports'

export interface HelperAgents {
  /** For cases in this folder: scripts and modules are looked for beside them too. */
  in(folder: string): AgentLookup
  /** The same for agents that judge replies. */
  validatorsIn(folder: string): AgentLookup
  /** The same for agents that write cases, and for those that write reports. */
  generators: AgentLookup
  reporters: AgentLookup
  /** Makes all agents that will be asked: one that cannot be loaded is found before anything is played. */
  load(uses: readonly string[], signal: AbortSignal): Promise<void>
}

/** All that work for the tests of a run: agents, scripts and the built-in ones. */
export function createHelperAgents(
  sources: Omit<AgentSources, 'connectorFlag' | 'stubAll'>,
  pool: AgentPool,
  caseScripts: CaseScripts,
  /** `--simulator` */
  flagged?: string,
): HelperAgents {
  const { connectors, project } = sources
  /** By the references that names in cases stand for, which may be others in each folder. */
  const agents = new Map<string, Agent>()
  const references = new Map<string, Set<string>>()
  const own = project.config.helpers?.connector

  const model = (connector: unknown) =>
    connectors.model(typeof connector === 'string' ? connector : (own ?? ''))
  const make = async (use: string) => createBuiltIn(use, model) ?? pool.agent(use)

  const agentsOnly: AgentLookup = {
    problem(use, connector) {
      const wrongConnector = connector === undefined ? undefined : connectors.problem(connector)
      if (wrongConnector !== undefined) return wrongConnector
      if (!use.startsWith('viva.')) return agentProblem(use, sources, connector !== undefined)
      if (!Object.hasOwn(builtIn, use))
        return `there is no ${use} (there are: ${Object.keys(builtIn).join(', ')})`
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
  const locate = (use: string, folder: string): string => {
    if (Object.hasOwn(project.config.agents ?? {}, use)) return use
    const { cwd, root } = project
    return locateModule(use, use === flagged ? [cwd, folder] : [folder, cwd, root], cwd)
  }
  const forPurpose = (purpose: Purpose, folder: string): AgentLookup => {
    const found = withScripts(agentsOnly, caseScripts.in(folder))
    return {
      agent: async (use) => found.agent(locate(use, folder)),
      problem(use, connector) {
        const made = Object.hasOwn(builtIn, use) ? builtIn[use] : undefined
        if (made !== undefined && made !== purpose) return `${use} is there to ${made}, not to ${purpose}`
        try {
          const reference = locate(use, folder)
          references.set(use, (references.get(use) ?? new Set()).add(reference))
          return found.problem(reference, connector)
        } catch (error) {
          if (error instanceof ConfigError) return error.message
          throw error
        }
      },
    }
  }
  return {
    in: (folder) => forPurpose('play users', folder),
    validatorsIn: (folder) => forPurpose('judge', folder),
    // They are asked before all others, and loaded then.
    generators: {
      problem: forPurpose('write cases', project.cwd).problem,
      agent: async (use) => make(locate(use, project.cwd)),
    },
    reporters: forPurpose('write reports', project.cwd),
    async load(uses, signal) {
      for (const reference of new Set(uses.flatMap((use) => [...(references.get(use) ?? [use])]))) {
        if (!isScript(reference)) agents.set(reference, await untilAborted(make(reference), signal))
      }
    },
  }
}

function isScript(use: string): boolean {
  return use.startsWith('scripts:')
}

function withScripts(agents: AgentLookup, scripts: ScriptCalls): AgentLookup {
  return {
    problem(use, connector) {
      if (!isScript(use)) return agents.problem(use, connector)
      if (connector === undefined) return scripts.scriptProblem(use)
      return `${use} is a script: it has no connector to choose`
    },
    async agent(use) {
      if (!isScript(use)) return agents.agent(use)
      return scriptAgent(use, (params, options, scope) =>
        scripts.callScript(use, (ctx) => [params, ctx], scope, options),
      )
    },
  }
}
