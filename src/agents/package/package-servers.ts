import { ConfigError, lookingInto } from '../../errors.ts'
import type { ToolServers } from '../../project/app/mcps.ts'
import type { Package } from '../../project/app/package.ts'
import type { ServerChoice } from '../../project/app/package-tools.ts'
import type { ModuleServer } from '../../tools/module-server.ts'
import { type StartWait, type Tool, type ToolServer, toolName, waitOutsideCase } from '../../tools/tool.ts'

/** Something with tools of its own: a package, or the built-in simulator. */
type ToolOwner = Pick<Package, 'id' | 'file' | 'tools'>

/** Throws `ConfigError` for servers and tools that the package names and that are known not to exist. */
export function checkServers(pack: Package, toolServers: ToolServers): void {
  for (const choice of lookingInto(pack.file, () => findServers(pack.tools.servers, toolServers)))
    checkToolsAtRest(pack, choice)
}

/** The tools of the package itself: those of its servers and its modules. */
export async function loadOwnTools(
  pack: ToolOwner,
  toolServers: ToolServers,
  scope: StartWait,
): Promise<Tool[]> {
  const ofServers = await loadTools(pack, pack.tools.servers, toolServers, scope)
  return [...(await loadModuleTools(pack, toolServers, scope)), ...ofServers]
}

/** The tools of its modules, whose names must differ from each other and from those of its servers. */
export async function loadModuleTools(
  { id, file, tools: { modules, servers } }: ToolOwner,
  toolServers: ToolServers,
  scope: StartWait,
): Promise<Tool[]> {
  const lists = await Promise.all(modules.map((path) => toolServers.module(path).tools(scope)))
  const tools = lists.flat()
  const names = tools.map(({ name }) => name)
  const isTaken = (name: string, index: number) =>
    names.indexOf(name) !== index || servers.some((server) => name.startsWith(toolName(server.id, '')))
  const taken = names.find(isTaken)
  if (taken === undefined) return tools
  const message = `agent ${id}: two of its tools may be named ${taken}`
  throw new ConfigError({ code: 'same_tool', message, file, hint: 'rename one of them' })
}

/** The modules of its tools. */
export function listModules({ tools }: Pick<Package, 'tools'>, toolServers: ToolServers): ModuleServer[] {
  return tools.modules.map((path) => toolServers.module(path))
}

/** The tools of these servers, up to the number that a model is offered. */
export async function loadTools(
  pack: ToolOwner,
  choices: readonly ServerChoice[],
  toolServers: ToolServers,
  scope: StartWait,
): Promise<Tool[]> {
  const servers = findServers(choices, toolServers)
  // Whoever judges a case takes no part in it.
  if (scope.role === 'agent' || scope.role === 'simulator')
    for (const { server } of servers) scope.context?.play?.servers.add(server.id)
  const lists = await Promise.all(servers.map((each) => selectTools(pack, each, scope)))
  return lists.flat().slice(0, pack.tools.most)
}

/** The tools that the package names, then all others that its hooks may call. */
export async function* listToolNames(
  pack: Package,
  toolServers: ToolServers,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const own = await loadOwnTools(pack, toolServers, waitOutsideCase(signal))
  for (const { name } of own) yield name
  if (pack.hooks !== undefined) yield* listAllToolNames(toolServers, signal)
}

interface ChosenServer {
  server: ToolServer
  tools: readonly string[] | undefined
}

function findServers(choices: readonly ServerChoice[], toolServers: ToolServers): ChosenServer[] {
  return choices.map(({ id, tools }) => ({ server: toolServers.server(id), tools }))
}

async function selectTools(
  pack: ToolOwner,
  { server, tools }: ChosenServer,
  scope: StartWait,
): Promise<Tool[]> {
  const offered = await server.tools(scope)
  if (tools === undefined) return offered.filter(({ forTests }) => !forTests)
  const names = offered.map(({ name }) => name.slice(toolName(server.id, '').length))
  checkToolNames(pack, server, tools, names)
  return tools.flatMap((name) => offered[names.indexOf(name)] ?? [])
}

/** Checked before any case is played, if the server need not be started for it. */
function checkToolsAtRest(pack: Package, { server, tools = [] }: ChosenServer): void {
  if (server.atRest !== undefined) checkToolNames(pack, server, tools, server.atRest.tools)
}

function checkToolNames(
  { id, file }: ToolOwner,
  server: ToolServer,
  wanted: readonly string[],
  known: readonly string[],
): void {
  const missing = wanted.find((name) => !known.includes(name))
  if (missing === undefined) return
  const there = known.length === 0 ? 'there are none' : `there are ${known.join(', ')}`
  const message = `${id} has no tool "${missing}" in MCP server ${server.id}: ${there}`
  throw new ConfigError({ code: 'unknown_tool', message, file, hint: `see mcp in ${file}` })
}

/**
 * The tools of all servers, which scripts may call. One server at a time, those that must be started last. An error of one
 * server does not affect the others.
 */
export async function* listAllToolNames(
  toolServers: ToolServers,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const servers = toolServers.ids().flatMap((id) => unlessConfigError(() => toolServers.server(id)) ?? [])
  const atRest = servers.filter((server) => server.atRest !== undefined)
  for (const server of [...atRest, ...servers.filter((each) => !atRest.includes(each))]) {
    const tools = await server.tools(waitOutsideCase(signal)).catch(() => [])
    for (const { name } of tools) yield name
  }
}

function unlessConfigError<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof ConfigError) return undefined
    throw error
  }
}
