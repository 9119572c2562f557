import type { Connectors } from '../app/connectors.ts'
import type { ToolServers } from '../app/mcps.ts'
import { asksModel, type Package } from '../app/package.ts'
import { mostTools, type ServerChoice } from '../app/package-tools.ts'
import { AgentError, ConfigError, lookingInto } from '../errors.ts'
import type { Model } from '../models/model.ts'
import { deepestCalls } from '../scope/activation.ts'
import type { Context } from '../scope/context.ts'
import type { ScriptHost } from '../scripts/script-host.ts'
import { StubPlayer, standInFor } from '../tools/stubs.ts'
import { type Tool, type ToolServer, toolName, type Waiting } from '../tools/tool.ts'
import type { Data } from '../transcript/message.ts'
import { messagesOf } from '../transcript/turn.ts'
import type { Agent, TurnRequest } from './agent.ts'
import { askOnce } from './ask-once.ts'
import { createHooks } from './hooks.ts'
import { type PackageParts, takeTurn } from './package-turn.ts'

/** Finds agents by their names. */
export interface OtherAgents {
  /** Throws `ConfigError` for one that is not there, or cannot be loaded. */
  agent(name: string): Promise<Agent>
}

export interface PackageSurroundings {
  connectors: Connectors
  toolServers: ToolServers
  scripts: ScriptHost
  /** To whom it may hand a turn on. */
  others: OtherAgents
  /** `-c` */
  connectorFlag?: string
  /** `--stub-all` */
  stubAll?: boolean
}

/** An agent of an app: its hooks and prompts, then the conversation, to its connector's model, with its tools. */
export function packageAgent(pack: Package, around: PackageSurroundings): Agent {
  const { toolServers, scripts, stubAll = false } = around
  if (pack.unplayable !== undefined)
    throw new ConfigError({
      code: 'unplayable',
      message: `agent ${pack.id}: ${pack.unplayable}`,
      file: pack.file,
    })
  const model = createModelChoice(pack, around)
  const chosen = lookingInto(pack.file, () =>
    pack.tools.servers.map((choice) => serverOf(choice, toolServers)),
  )
  const parts: Omit<PackageParts, 'tools'> = {
    pack,
    model,
    toolsOf: (servers, scope) =>
      toolsOf(
        pack,
        servers.map((choice) => serverOf(choice, toolServers)),
        scope,
      ),
    delegate: (to, scope) => handOn(pack, to, around.others, scope),
    ...(pack.hooks && { hooks: createHooks(pack.id, pack.hooks, scripts) }),
  }
  return {
    id: pack.id,
    input: 'messages',
    history: 'given',
    tools: chosen.length === 0 && pack.hooks === undefined ? 'reported' : 'served',
    async toolNames(signal) {
      const waiting = { signal, standStill: <T>(work: (signal: AbortSignal) => Promise<T>) => work(signal) }
      const own = await toolsOf(pack, chosen, waiting)
      const others = pack.hooks === undefined ? [] : await allTools(toolServers, waiting)
      return [...new Set([...own, ...others].map(({ name }) => name))]
    },
    async open(opening) {
      const tools = await toolsOf(pack, chosen, opening)
      const player = new StubPlayer()
      return {
        async send(request, scope) {
          const messages = [...messagesOf(request.view), request.input.message]
          const { stubs } = request
          const standIn =
            stubs !== undefined || stubAll ? standInFor(stubs ?? [], player, stubAll) : undefined
          const context = contextOf(pack, request, scope.context)
          const own = scope.child(scope.role, undefined, { ...context, ...(standIn && { standIn }) })
          return takeTurn({ ...parts, tools }, { messages, options: request.options }, own)
        },
        async close() {},
      }
    },
  }
}

/** Who asks, as hooks, tools and prompts of this turn see it. */
function contextOf(pack: Package, { options }: TurnRequest, context: Context): Context {
  return {
    ...context,
    agentId: pack.id,
    metadata: (options.metadata ?? {}) as Data,
    sent: [],
    // Of one request; a turn that is handed on stays one.
    memory: context.delegatedBy === undefined ? { ...context.memory, context: {} } : context.memory,
  }
}

/** `-c` before the hook's choice, before the turn's, before the package's own. */
function createModelChoice(
  pack: Package,
  { connectors, connectorFlag }: PackageSurroundings,
): PackageParts['model'] {
  const model: PackageParts['model'] = ({ hook, turn }): Model => {
    const id = connectorFlag ?? hook ?? (typeof turn === 'string' ? turn : pack.connector)
    const known = id ?? connectors.standard()
    if (known === undefined) throw new ConfigError(noConnector(pack))
    return connectors.model(known)
  }
  // What can go wrong before the first case should: the model is made once here, where it will be asked.
  if (asksModel(pack)) {
    if (connectorFlag !== undefined) connectors.model(connectorFlag)
    else if (pack.connector !== undefined)
      lookingInto(pack.file, () => model({ hook: undefined, turn: undefined }))
  }
  return model
}

interface ChosenServer {
  server: ToolServer
  tools: readonly string[] | undefined
}

function serverOf({ id, tools }: ServerChoice, toolServers: ToolServers): ChosenServer {
  return { server: toolServers.server(id), tools }
}

async function toolsOf(pack: Package, chosen: readonly ChosenServer[], scope: Waiting): Promise<Tool[]> {
  const lists = await Promise.all(chosen.map((each) => chosenTools(pack, each, scope)))
  return lists.flat().slice(0, mostTools)
}

/** All tools of the server, or those that are named. */
async function chosenTools(pack: Package, { server, tools }: ChosenServer, scope: Waiting): Promise<Tool[]> {
  const offered = await server.tools(scope)
  if (tools === undefined) return offered
  return tools.map((name) => {
    const tool = offered.find((each) => each.name === toolName(server.id, name))
    if (tool !== undefined) return tool
    const known = offered.map((each) => each.name).join(', ')
    const there = known === '' ? 'there are none' : `there are ${known}`
    const hint = `see mcp.servers in the package.yao of ${pack.id}`
    const message = `${pack.id} has no tool "${name}" in MCP server ${server.id}: ${there}`
    throw new ConfigError({ code: 'unknown_tool', message, hint })
  })
}

/** Hooks may call any tool of the app. A server that is not well described is nobody's for now. */
async function allTools(toolServers: ToolServers, scope: Waiting): Promise<Tool[]> {
  const lists = await Promise.all(
    toolServers.ids().map(async (id) => {
      try {
        return await toolServers.server(id).tools(scope)
      } catch (error) {
        if (error instanceof ConfigError) return []
        throw error
      }
    }),
  )
  return lists.flat()
}

/** To another agent, which answers in its place. */
async function handOn(
  { id: from }: Package,
  { id, messages, options }: Parameters<PackageParts['delegate']>[0],
  others: OtherAgents,
  scope: Parameters<PackageParts['delegate']>[1],
): ReturnType<PackageParts['delegate']> {
  const delegatedBy = [...(scope.context.delegatedBy ?? []), from]
  if (delegatedBy.length > deepestCalls)
    throw new AgentError(
      `agents delegate to each other more than ${deepestCalls} times: ${[...delegatedBy, id].join(' → ')}`,
    )
  const agent = await others.agent(id).catch((error: unknown) => {
    if (!(error instanceof ConfigError)) throw error
    throw new AgentError(`${from} delegates to ${id}: ${error.message}`)
  })
  const context = { ...scope.context, delegatedBy }
  return askOnce(agent, { messages, options }, scope.child(scope.role, undefined, context))
}

function noConnector(pack: Package) {
  return {
    code: 'no_connector',
    message: `agent ${pack.id} has no connector`,
    hint: 'add "connector" to its package.yao, or use -c',
  }
}
