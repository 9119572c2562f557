import type { Agent } from '../agents/agent.ts'
import { knownAgents } from '../agents/agent-names.ts'
import { builtInPurposes, createBuiltIn } from '../agents/helpers/built-in.ts'
import type { AgentSources } from '../agents/resolved.ts'
import { ConfigError } from '../errors.ts'
import type { Model } from '../models/model.ts'
import { findConnectors } from '../project/app/connectors.ts'
import { findToolServers } from '../project/app/mcps.ts'
import { openNetwork } from '../project/app/network.ts'
import { createAppScripts } from '../project/app/script-files.ts'
import type { Project } from '../project/project.ts'
import { contextOnWire } from '../scripts/protocol/context-data.ts'
import type { Loading } from '../scripts/runner/script-host.ts'
import { createAnswering } from '../setup/requests/answer.ts'
import { type AgentPool, createAgentPool } from './agent-pool.ts'

/** All that a command finds in a project: models, servers, agents. Scripts may ask for it from now on. */
export interface OpenApp {
  /** What agents are made of. */
  sources: Omit<AgentSources, 'connectorFlag' | 'stubAll'>
  agentPool: AgentPool
  /** Keys and tokens that are known by now; scripts may bring more. */
  secrets(): string[]
  close(): Promise<void>
}

/** `connections`: how many requests may be under way at once. */
export function openApp(project: Project, { scripts, signal }: Loading, connections: number): OpenApp {
  const network = openNetwork(project, connections)
  const connectors = findConnectors(project, scripts, network)
  const toolServers = findToolServers(project, network, (name, args, scope) =>
    scripts.surroundings.answering.answer(
      { kind: 'process', name, args: [...args, contextOnWire(scope.context)] },
      scope,
      () => Promise.reject(new Error('a tool gives no function away')),
    ),
  )
  const found = { project, connectors, toolServers, scripts, network }
  const agentPool = createAgentPool(found, signal)
  const helperModel = (connector: unknown) => connectors.model(connectorOf(connector, project))
  const answering = createAnswering({
    agent: (name) => agentPool.named.agent(name),
    validator: async (name) => builtInJudge(name, helperModel) ?? agentPool.named.agent(name),
    agentIds: () => knownAgents(project),
    connectors,
    toolServers,
    scripts,
    files: createAppScripts(project),
    network,
    processes: project.config.processes ?? {},
  })
  scripts.surroundings = { answering, listedSecrets: project.config.secrets ?? [] }
  return {
    sources: { ...found, loading: signal, others: agentPool.named },
    agentPool,
    secrets: () => [
      ...network.secrets,
      ...connectors.secrets(),
      ...toolServers.secrets(),
      ...agentPool.secrets(),
    ],
    async close() {
      await toolServers.close()
      await network.close()
    },
  }
}

function connectorOf(connector: unknown, { config }: Project): string {
  const id = typeof connector === 'string' ? connector : config.helpers?.connector
  if (id !== undefined) return id
  const message =
    'the built-in validator needs a connector: `options.connector`, or `helpers.connector` in the config'
  throw new ConfigError({ code: 'no_connector', message })
}

function builtInJudge(name: string, model: (connector: unknown) => Model): Agent | undefined {
  const made = createBuiltIn(name, model)
  if (made === undefined || builtInPurposes[name as keyof typeof builtInPurposes] === 'judge') return made
  throw new ConfigError({ code: 'bad_validator', message: `${name} is not there to judge` })
}
