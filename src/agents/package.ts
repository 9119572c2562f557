import type { Connectors } from '../app/connectors.ts'
import type { ToolServers } from '../app/mcps.ts'
import { asksModel, type Package } from '../app/package.ts'
import { mostTools, type ServerChoice } from '../app/package-tools.ts'
import { AgentError, ConfigError, lookingInto, WorldError } from '../errors.ts'
import type { Model } from '../models/model.ts'
import { deepestCalls } from '../scope/activation.ts'
import type { Context } from '../scope/context.ts'
import type { ScriptHost } from '../scripts/script-host.ts'
import { StubPlayer, standInFor } from '../tools/stubs.ts'
import { type Tool, type ToolServer, toolName, type Waiting, waitingFor } from '../tools/tool.ts'
import type { Data } from '../transcript/message.ts'
import { messagesOf } from '../transcript/turn.ts'
import type { Agent, TurnRequest } from './agent.ts'
import { askOnce } from './ask-once.ts'
import { createHooks } from './hooks.ts'
import { type PackageParts, takeTurn } from './package-turn.ts'

/** Agents of the app and of the config, by their names. */
export interface OtherAgents {
  /** Undefined when there is such an agent. */
  problem(name: string): string | undefined
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
  for (const choice of chosen) refuseUnknownTools(pack, choice)
  const parts: Omit<PackageParts, 'tools'> = {
    pack,
    model,
    toolsOf: (servers, scope) =>
      toolsOf(
        pack,
        servers.map((choice) => serverOf(choice, toolServers)),
        scope,
      ),
    delegate: (to, scope) => handOn(pack, to, around, scope),
    ...(pack.hooks && { hooks: createHooks(pack.id, pack.hooks, scripts) }),
  }
  return {
    id: pack.id,
    input: 'messages',
    history: 'given',
    tools: chosen.length === 0 && pack.hooks === undefined ? 'reported' : 'served',
    async *toolNames(signal) {
      for (const { name } of await toolsOf(pack, chosen, waitingFor(signal))) yield name
      // Hooks may call any tool of the app.
      if (pack.hooks !== undefined) yield* otherToolNames(toolServers, signal)
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

/** The tools that the package itself names. */
export function packageTools(pack: Package, toolServers: ToolServers, waiting: Waiting): Promise<Tool[]> {
  return toolsOf(
    pack,
    pack.tools.servers.map((choice) => serverOf(choice, toolServers)),
    waiting,
  )
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
  const names = offered.map(({ name }) => name.slice(toolName(server.id, '').length))
  refuseUnknown(pack, server, tools, names)
  return tools.flatMap((name) => offered[names.indexOf(name)] ?? [])
}

/** Told before anything is played, where the server need not be started for it. */
function refuseUnknownTools(pack: Package, { server, tools = [] }: ChosenServer): void {
  if (server.atRest !== undefined) refuseUnknown(pack, server, tools, server.atRest.tools)
}

function refuseUnknown(
  { id, file }: Package,
  server: ToolServer,
  wanted: readonly string[],
  known: readonly string[],
): void {
  const missing = wanted.find((name) => !known.includes(name))
  if (missing === undefined) return
  const there = known.length === 0 ? 'there are none' : `there are ${known.join(', ')}`
  const message = `${id} has no tool "${missing}" in MCP server ${server.id}: ${there}`
  throw new ConfigError({
    code: 'unknown_tool',
    message,
    file,
    hint: `see mcp.servers in the package.yao of ${id}`,
  })
}

/** One server after the other, those that must be started last. What is wrong with one says nothing of the others. */
async function* otherToolNames(toolServers: ToolServers, signal: AbortSignal): AsyncGenerator<string> {
  const servers = toolServers.ids().flatMap((id) => tried(() => toolServers.server(id)) ?? [])
  const atRest = servers.filter((server) => server.atRest !== undefined)
  for (const server of [...atRest, ...servers.filter((each) => !atRest.includes(each))]) {
    const tools = await server.tools(waitingFor(signal)).catch(() => [])
    for (const { name } of tools) yield name
  }
}

function tried<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof ConfigError) return undefined
    throw error
  }
}

/** To another agent, which answers in its place. */
async function handOn(
  { id: from }: Package,
  { id, messages, options }: Parameters<PackageParts['delegate']>[0],
  { others, connectors }: PackageSurroundings,
  scope: Parameters<PackageParts['delegate']>[1],
): ReturnType<PackageParts['delegate']> {
  const delegatedBy = [...(scope.context.delegatedBy ?? []), from]
  if (delegatedBy.length > deepestCalls)
    throw new WorldError(
      'too_deep',
      `agents delegate to each other more than ${deepestCalls} times: ${[...delegatedBy, id].join(' → ')}`,
    )
  const unknown = others.problem(id) ?? connectorProblem(options.connector, connectors)
  if (unknown !== undefined) throw new AgentError(`${from} delegates to ${id}: ${unknown}`)
  const agent = await others.agent(id)
  const context = { ...scope.context, delegatedBy, referer: 'agent' }
  return askOnce(agent, { messages, options }, scope.child(scope.role, undefined, context))
}

function connectorProblem(named: unknown, connectors: Connectors): string | undefined {
  if (typeof named !== 'string') return undefined
  return connectors.ids().includes(named) || /^(?:use::|\$ENV\.)/.test(named)
    ? undefined
    : connectors.problem(named)
}

function noConnector(pack: Package) {
  return {
    code: 'no_connector',
    message: `agent ${pack.id} has no connector`,
    hint: 'add "connector" to its package.yao, or use -c',
  }
}
