import { AgentError, ConfigError, InfrastructureError, lookingInto } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import type { Connectors } from '../../project/app/connectors.ts'
import type { ToolServers } from '../../project/app/mcps.ts'
import { type Package, usesModel } from '../../project/app/package.ts'
import type { Data } from '../../results/transcript/message.ts'
import { listMessages } from '../../results/transcript/turn.ts'
import { maxCallDepth } from '../../scope/activation.ts'
import type { Context } from '../../scope/context.ts'
import type { ScriptHost } from '../../scripts/runner/script-host.ts'
import { createStandIn, StubPlayer } from '../../tools/stubs.ts'
import { type Agent, plainSession, type TurnRequest } from '../agent.ts'
import { askOnce } from '../ask-once.ts'
import { createHooks } from './hooks.ts'
import { checkServers, listModules, listToolNames, loadOwnTools, loadTools } from './package-servers.ts'
import { type PackageParts, takeTurn } from './package-turn.ts'

/** Agents of the app and the config, by name. */
export interface OtherAgents {
  /** Undefined if the agent exists. */
  problem(name: string): string | undefined
  /** Throws `ConfigError` for an agent that does not exist or cannot be loaded. */
  agent(name: string): Promise<Agent>
}

export interface PackageSurroundings {
  connectors: Connectors
  toolServers: ToolServers
  scripts: ScriptHost
  /** The agents to which it may delegate a turn. */
  others: OtherAgents
  /** `-c`: overrides the connector of the agent and of the case. */
  connectorFlag?: string
  /** `--stub-all` */
  stubAll?: boolean
}

/** An agent of an app: sends its prompts and the conversation to its connector's model, with its hooks and tools. */
export function packageAgent(pack: Package, around: PackageSurroundings): Agent {
  const { toolServers, scripts, stubAll = false } = around
  if (pack.unplayable !== undefined) {
    const message = `agent ${pack.id}: ${pack.unplayable}`
    throw new ConfigError({ code: 'unplayable', message, file: pack.file })
  }
  const model = createModelChoice(pack, around)
  checkServers(pack, toolServers)
  const parts: Omit<PackageParts, 'tools'> = {
    pack,
    model,
    hookTools: (choices, scope) => loadTools(pack, choices, toolServers, scope),
    delegate: (to, scope) => delegateTurn(pack, to, around, scope),
    ...(pack.hooks && { hooks: createHooks(pack.id, pack.hooks, scripts) }),
  }
  const modules = listModules(pack, toolServers)
  const hasTools = pack.tools.servers.length + modules.length > 0
  const concurrency = modules.find((module) => module.concurrency !== undefined)?.concurrency
  return {
    id: pack.id,
    input: 'messages',
    history: 'given',
    ...defined({ concurrency }),
    tools: hasTools || pack.hooks !== undefined ? 'served' : 'reported',
    toolNames: (signal) => listToolNames(pack, toolServers, signal),
    async prepare(sessions, signal) {
      await Promise.all(modules.map((module) => module.prepare(sessions, signal)))
    },
    async open(opening) {
      const tools = await loadOwnTools(pack, toolServers, opening)
      const player = new StubPlayer()
      return plainSession(async (request, scope) => {
        const messages = [...listMessages(request.view), request.input.message]
        const { stubs } = request
        const standIn =
          stubs !== undefined || stubAll ? createStandIn(stubs ?? [], player, stubAll) : undefined
        const context = turnContext(pack, request, scope.context)
        const own = scope.child(scope.role, undefined, { ...context, ...(standIn && { standIn }) })
        return takeTurn({ ...parts, tools }, { messages, options: request.options }, own)
      })
    },
  }
}

/** The context that hooks, tools and prompts of this turn see. */
function turnContext(pack: Package, { options }: TurnRequest, context: Context): Context {
  return {
    ...context,
    agentId: pack.id,
    metadata: (options.metadata ?? {}) as Data,
    sent: [],
    // This memory lives for one request, and a delegated turn is still the same request.
    memory: context.delegatedBy === undefined ? { ...context.memory, context: {} } : context.memory,
  }
}

/** `-c` wins over the hook's choice, the turn's and the package's own, in this order. */
function createModelChoice(
  pack: Package,
  { connectors, connectorFlag }: PackageSurroundings,
): PackageParts['model'] {
  const model: PackageParts['model'] = ({ hook, turn }) => {
    const id = connectorFlag ?? hook ?? (typeof turn === 'string' ? turn : pack.connector)
    const known = id ?? connectors.standard()
    if (known === undefined) throw noConnectorError(pack)
    return { connector: connectors.idOf(known), model: connectors.model(known) }
  }
  // Creating the model once here reports its problems before the first case is played.
  if (usesModel(pack)) {
    if (connectorFlag !== undefined) connectors.model(connectorFlag)
    else if (pack.connector !== undefined)
      lookingInto(pack.file, () => model({ hook: undefined, turn: undefined }))
  }
  return model
}

/** Lets another agent answer in its place. */
async function delegateTurn(
  { id: from }: Package,
  { id, messages, options }: Parameters<PackageParts['delegate']>[0],
  { others, connectors }: PackageSurroundings,
  scope: Parameters<PackageParts['delegate']>[1],
): ReturnType<PackageParts['delegate']> {
  const delegatedBy = [...(scope.context.delegatedBy ?? []), from]
  if (delegatedBy.length > maxCallDepth) {
    const message = `agents delegate to each other more than ${maxCallDepth} times: ${[...delegatedBy, id].join(' → ')}`
    throw new InfrastructureError('too_deep', message)
  }
  const unknown = others.problem(id) ?? connectorProblem(options.connector, connectors)
  if (unknown !== undefined) throw new AgentError(`${from} delegates to ${id}: ${unknown}`)
  // Loading the agent must not count as time of the case.
  const agent = await scope.standStill(() => others.agent(id))
  const context = { ...scope.context, delegatedBy, referer: 'agent' }
  return askOnce(agent, { messages, options }, scope.child(scope.role, undefined, context))
}

function connectorProblem(named: unknown, connectors: Connectors): string | undefined {
  if (typeof named !== 'string') return undefined
  return connectors.ids().includes(named) || /^(?:use::|\$ENV\.)/.test(named)
    ? undefined
    : connectors.problem(named)
}

function noConnectorError({ id, file }: Package): ConfigError {
  const hint = `add "connector" to ${file}, or use -c`
  return new ConfigError({ code: 'no_connector', message: `agent ${id} has no connector`, hint })
}
