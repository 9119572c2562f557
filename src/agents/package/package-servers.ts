import { ConfigError, lookingInto } from '../../errors.ts'
import type { ToolServers } from '../../project/app/mcps.ts'
import type { Package } from '../../project/app/package.ts'
import type { ServerChoice } from '../../project/app/package-tools.ts'
import { type StartWait, type Tool, type ToolServer, toolName, waitOutsideCase } from '../../tools/tool.ts'

/** Throws `ConfigError` for servers and tools that the package names and that are known not to exist. */
export function checkServers(pack: Package, toolServers: ToolServers): void {
  for (const choice of lookingInto(pack.file, () => findServers(pack.tools.servers, toolServers)))
    checkToolsAtRest(pack, choice)
}

/** The tools of these servers, up to the number that a model is offered. */
export async function loadTools(
  pack: Package,
  choices: readonly ServerChoice[],
  toolServers: ToolServers,
  scope: StartWait,
): Promise<Tool[]> {
  const servers = findServers(choices, toolServers)
  const lists = await Promise.all(servers.map((each) => selectTools(pack, each, scope)))
  return lists.flat().slice(0, pack.tools.most)
}

/** The tools that the package names, then all others that its hooks may call. */
export async function* listToolNames(
  pack: Package,
  toolServers: ToolServers,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const own = await loadTools(pack, pack.tools.servers, toolServers, waitOutsideCase(signal))
  for (const { name } of own) yield name
  if (pack.hooks !== undefined) yield* listOtherToolNames(toolServers, signal)
}

interface ChosenServer {
  server: ToolServer
  tools: readonly string[] | undefined
}

function findServers(choices: readonly ServerChoice[], toolServers: ToolServers): ChosenServer[] {
  return choices.map(({ id, tools }) => ({ server: toolServers.server(id), tools }))
}

async function selectTools(
  pack: Package,
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
  { id, file }: Package,
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

/** One server at a time, those that must be started last. An error of one server does not affect the others. */
async function* listOtherToolNames(toolServers: ToolServers, signal: AbortSignal): AsyncGenerator<string> {
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
