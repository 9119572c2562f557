import type { Agent } from '../../agents/agent.ts'
import { builtInPurposes, createBuiltIn } from '../../agents/helpers/built-in.ts'
import { scriptAgent } from '../../agents/helpers/script-agent.ts'
import { openSimulatorTools } from '../../agents/helpers/simulator-tools.ts'
import { vivaSimulator } from '../../agents/helpers/viva-simulator.ts'
import { listAllToolNames } from '../../agents/package/package-servers.ts'
import { agentProblem } from '../../agents/resolve.ts'
import { locateModule } from '../../agents/resolve-reference.ts'
import type { AgentSources } from '../../agents/resolved.ts'
import type { AgentLookup } from '../../cases/speakers.ts'
import { catchProblem } from '../../errors.ts'
import { untilAborted } from '../../scope/deadline.ts'
import type { AgentPool } from './agent-pool.ts'
import type { CaseScripts, ScriptCalls } from './case-scripts.ts'
import type { ToolOwner } from './unknown-stubs.ts'

const builtIn: Record<string, Purpose> = builtInPurposes

type Purpose = (typeof builtInPurposes)[keyof typeof builtInPurposes] | 'write reports'

export interface HelperAgents {
  /** For cases in this folder: scripts and modules are looked for beside them too. */
  in(folder: string): AgentLookup
  /** The agent that a name in cases of this folder means, as `-n` takes it. */
  reference(use: string, folder: string): string
  /** The same for agents that judge replies. */
  validatorsIn(folder: string): AgentLookup
  /** The same for agents that write cases, and for those that write reports. */
  generators: AgentLookup
  reporters: AgentLookup
  /** Makes all agents that will be asked: one that cannot be loaded is found before anything is played. */
  load(uses: readonly string[], signal: AbortSignal): Promise<void>
  /** Whose tools are used by the agents of this name, which are loaded. */
  toolOwners(use: string): ToolOwner[]
}

type HelperSources = Omit<AgentSources, 'connectorFlag' | 'stubAll'>

/** All that work for the tests of a run: agents, scripts and the built-in ones. */
export function createHelperAgents(
  sources: HelperSources,
  pool: AgentPool,
  caseScripts: CaseScripts,
  /** `--simulator` */
  flagged?: string,
): HelperAgents {
  const { connectors, project } = sources
  const model = (connector: unknown) =>
    connectors.model(typeof connector === 'string' ? connector : (project.config.helpers?.connector ?? ''))
  const make = async (use: string) => {
    const tools = use === vivaSimulator ? await openSimulatorTools(sources) : undefined
    return createBuiltIn(use, model, tools) ?? pool.agent(use)
  }
  const loaded = new LoadedAgents(make)
  const locate = (use: string, folder: string): string => {
    if (Object.hasOwn(project.config.agents ?? {}, use)) return use
    const { cwd, root } = project
    return locateModule(use, use === flagged ? [cwd, folder] : [folder, cwd, root], cwd)
  }
  const agentsOnly: AgentLookup = {
    problem: (use, connector) => findAgentProblem(use, connector, sources),
    agent: async (use) => loaded.agent(use),
  }
  const forPurpose = (purpose: Purpose, folder: string): AgentLookup => {
    const found = withScripts(agentsOnly, caseScripts.in(folder))
    return {
      agent: async (use) => found.agent(locate(use, folder)),
      problem(use, connector) {
        const made = Object.hasOwn(builtIn, use) ? builtIn[use] : undefined
        if (made !== undefined && made !== purpose) return `${use} is there to ${made}, not to ${purpose}`
        return catchProblem(() => {
          const reference = locate(use, folder)
          loaded.noteReference(use, reference)
          return found.problem(reference, connector)
        })
      },
    }
  }
  return {
    reference: locate,
    in: (folder) => forPurpose('play users', folder),
    validatorsIn: (folder) => forPurpose('judge', folder),
    // They are asked before all others, and loaded then.
    generators: {
      problem: forPurpose('write cases', project.cwd).problem,
      agent: async (use) => make(locate(use, project.cwd)),
    },
    reporters: forPurpose('write reports', project.cwd),
    load: (uses, signal) => loaded.load(uses, signal),
    toolOwners: (use) =>
      loaded.references(use).map((reference) => {
        if (!isScript(reference)) return loaded.agent(reference)
        // A script may call the tools of every server.
        return { id: reference, toolNames: (signal) => listAllToolNames(sources.toolServers, signal) }
      }),
  }
}

class LoadedAgents {
  readonly #make: (reference: string) => Promise<Agent>
  readonly #agents = new Map<string, Agent>()
  /** What a name in cases stands for, which may be another agent in each folder. */
  readonly #references = new Map<string, Set<string>>()

  constructor(make: (reference: string) => Promise<Agent>) {
    this.#make = make
  }

  noteReference(use: string, reference: string): void {
    this.#references.set(use, (this.#references.get(use) ?? new Set()).add(reference))
  }

  references(use: string): string[] {
    return [...(this.#references.get(use) ?? [use])]
  }

  async load(uses: readonly string[], signal: AbortSignal): Promise<void> {
    for (const reference of new Set(uses.flatMap((use) => this.references(use)))) {
      if (!isScript(reference)) this.#agents.set(reference, await untilAborted(this.#make(reference), signal))
    }
  }

  agent(reference: string): Agent {
    const agent = this.#agents.get(reference)
    if (agent === undefined) throw new Error(`${reference} was not loaded`)
    return agent
  }
}

function findAgentProblem(
  use: string,
  connector: string | undefined,
  sources: HelperSources,
): string | undefined {
  const { connectors, project } = sources
  const wrongConnector = connector === undefined ? undefined : connectors.problem(connector)
  if (wrongConnector !== undefined) return wrongConnector
  if (!use.startsWith('viva.')) return agentProblem(use, sources, connector !== undefined)
  if (!Object.hasOwn(builtIn, use))
    return `there is no ${use} (there are: ${Object.keys(builtIn).join(', ')})`
  if (connector !== undefined) return undefined
  const own = project.config.helpers?.connector
  if (own !== undefined) return connectors.problem(own)
  const where = use === vivaSimulator ? 'simulator.options.connector' : 'options.connector'
  return `${use} needs a connector: \`${where}\`, or \`helpers.connector\` in the config`
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
