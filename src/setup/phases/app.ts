import type { Agent } from '../../agents/agent.ts'
import { knownAgentNames } from '../../agents/agent-names.ts'
import { builtInPurposes, createBuiltIn } from '../../agents/helpers/built-in.ts'
import type { AgentSources } from '../../agents/resolved.ts'
import { ConfigError } from '../../errors.ts'
import type { Model } from '../../models/model.ts'
import type { SharedPermits } from '../../models/shared-permits.ts'
import { findConnectors } from '../../project/app/connectors.ts'
import { findToolServers } from '../../project/app/mcps.ts'
import { openNetwork } from '../../project/app/network.ts'
import { createAppScripts } from '../../project/app/script-files.ts'
import type { Project } from '../../project/project.ts'
import { maxAutoParallel } from '../../run/queue/adaptive-limit.ts'
import { toWireContext } from '../../scripts/protocol/context-data.ts'
import type { LoadContext, ScriptHost } from '../../scripts/runner/script-host.ts'
import type { RunProcess } from '../../tools/process-call.ts'
import { type AgentPool, createAgentPool } from '../helpers/agent-pool.ts'
import type { Start } from '../phase.ts'
import type { OpenRecording } from '../recordings/open-recording.ts'
import { answerWhenAsked } from '../requests/answer-when-asked.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

/** All that a project has: models, MCP servers, agents, and scripts that may ask for any of them. */
export interface App {
  /** What agents are made of. */
  sources: Omit<AgentSources, 'connectorFlag' | 'stubAll'>
  agentPool: AgentPool
  /** For loading code of the user's. */
  loading: LoadContext
  close(): Promise<void>
}

interface AppNeeds extends Start {
  project: Project
  scriptHost: ScriptHost
  secrets: Secrets
  settings: Pick<Settings, 'parallel'>
  recording?: Pick<OpenRecording, 'toolLists'> | undefined
  /** Shared with other processes that play the same run. */
  permits?: SharedPermits
}

export const appPhase = {
  name: 'app',
  open: openApp,
  close: (app: App) => app.close(),
} as const

function openApp({ project, scriptHost, secrets, signal, settings, recording, permits }: AppNeeds): App {
  const { parallel } = settings
  const isAdaptive = parallel === 'auto'
  const connections = isAdaptive ? maxAutoParallel : parallel
  const network = openNetwork(project, { connections, respectsRateLimits: isAdaptive })
  // Scripts ask for what is made below, which in turn runs scripts.
  const scripts = scriptHost.serving({
    answering: { answer: (request, scope, callBack) => answering.answer(request, scope, callBack) },
    listedSecrets: project.config.secrets ?? [],
  })
  const connectors = findConnectors(project, scripts, network, permits)
  const runProcess: RunProcess = (name, args, scope) =>
    answering.answer({ kind: 'process', name, args: [...args, toWireContext(scope.context)] }, scope, () =>
      Promise.reject(new Error('a tool gives no function away')),
    )
  const toolServers = findToolServers(project, network, runProcess, scripts, recording?.toolLists)
  const found = { project, connectors, toolServers, scripts, network }
  const agentPool = createAgentPool(found, signal)
  const helperModel = (connector: unknown) => connectors.model(helperConnector(connector, project))
  const answering = answerWhenAsked({
    agent: (name) => agentPool.named.agent(name),
    validator: async (name) => builtInJudge(name, helperModel) ?? agentPool.named.agent(name),
    agentIds: () => knownAgentNames(project),
    connectors,
    toolServers,
    scripts,
    files: createAppScripts(project),
    network,
    processes: project.config.processes ?? {},
  })
  for (const source of [() => network.secrets, connectors.secrets, toolServers.secrets, agentPool.secrets])
    secrets.add(source)
  return {
    sources: { ...found, loading: signal, others: agentPool.named },
    agentPool,
    loading: { scripts, signal },
    async close() {
      await toolServers.close()
      await network.close()
    },
  }
}

function helperConnector(connector: unknown, { config }: Project): string {
  const id = typeof connector === 'string' ? connector : config.helpers?.connector
  if (id !== undefined) return id
  const message =
    'the built-in validator needs a connector: `options.connector`, or `helpers.connector` in the config'
  throw new ConfigError({ code: 'no_connector', message })
}

function builtInJudge(name: string, model: (connector: unknown) => Model): Agent | undefined {
  const made = createBuiltIn(name, model)
  if (made === undefined || builtInPurposes[name as keyof typeof builtInPurposes] === 'judge') return made
  throw new ConfigError({
    code: 'bad_validator',
    message: `${name} does not judge: use viva.validator or viva.judge`,
  })
}
