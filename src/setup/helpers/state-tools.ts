import type { Agent } from '../../agents/agent.ts'
import type { ResolvedAgent } from '../../agents/resolved.ts'
import type { CheckHelpers, ToolAnswer } from '../../checks/check-helpers.ts'
import { disclosureHint } from '../../checks/disclosure-hint.ts'
import { defined } from '../../json/defined.ts'
import type { ToolServers } from '../../project/app/mcps.ts'
import type { Scope } from '../../scope/scope.ts'
import { isToolName } from '../../text/tool-name.ts'
import { checkArguments } from '../../tools/check-arguments.ts'
import { type Tool, toolName } from '../../tools/tool.ts'

/** What is known of the tools of an agent under test. */
export type ToolUser = Pick<ResolvedAgent, 'agent' | 'servers' | 'toolModules'>

/** Finds the tools that `state` checks call: those of the agent that plays the case, then those that the app has for all. */
export function createStateTools(
  toolServers: ToolServers,
  variants: ReadonlyMap<string, ToolUser>,
): Pick<CheckHelpers, 'toolProblem' | 'callTool'> {
  const underTest = [...variants.values()]
  const all = toolServers.ids()

  /** Agents that an audit puts in place of the one under test are asked for its state. */
  const findPlayers = ({ key }: Scope): readonly ToolUser[] => {
    const player = variants.get(key.variant)
    return player === undefined ? underTest : [player]
  }

  return {
    toolProblem(name) {
      if (underTest.some(({ agent }) => agent.findTool !== undefined)) return undefined
      const server = serverIn(name)
      const hasModules = underTest.some(({ toolModules = [] }) => toolModules.length > 0)
      if (all.length === 0 && !hasModules)
        return `there is no MCP server whose tools could be called${adviseBefore(underTest, name)}`
      if (server === undefined || all.some((id) => isServerName(id, server))) return undefined
      return `there is no MCP server "${server}" (there are: ${all.join(', ')})${adviseBefore(underTest, name)}`
    },
    async callTool(name, args, scope): Promise<ToolAnswer> {
      const players = findPlayers(scope)
      for (const { agent } of players) {
        const own = agent.findTool?.(name, scope)
        if (own !== undefined) return { is: 'given', value: await own.call(args, scope) }
      }
      const { tool, offered, isComplete } = await findServed(name, players, toolServers, scope)
      if (tool !== undefined) {
        const fault = checkArguments(tool, args)
        if (fault !== undefined) throw new Error(fault)
        return { is: 'given', value: await tool.call(args, scope) }
      }
      if (!isComplete || offered.length === 0)
        return {
          is: 'unknown',
          reason: explainUnknown(name, players, offered),
          ...defined({ disclosure: findBlackBox(players)?.disclosure?.tools }),
        }
      throw new Error(`there is no tool ${name} (there are: ${listNames(offered)})`)
    },
  }
}

interface FoundTool {
  tool?: Tool
  /** The tools that were looked through. */
  offered: readonly Tool[]
  /** Whether no server is left that may have the tool. */
  isComplete: boolean
}

async function findServed(
  name: string,
  players: readonly ToolUser[],
  toolServers: ToolServers,
  scope: Scope,
): Promise<FoundTool> {
  const offered: Tool[] = []
  const modules = new Set(players.flatMap(({ toolModules = [] }) => toolModules))
  for (const path of modules) offered.push(...(await toolServers.module(path).tools(scope)))
  const server = serverIn(name)
  let left = toolServers.ids().filter((id) => server === undefined || isServerName(id, server))
  // No server is started for a tool that is found without it.
  for (const isNear of [
    (id: string) => players.some(({ servers = [] }) => servers.includes(id)),
    (id: string) => scope.context.play?.servers.has(id) === true,
    (id: string) => isForAll(id, players, toolServers),
  ]) {
    const near = left.filter(isNear)
    left = left.filter((id) => !near.includes(id))
    for (const id of near) offered.push(...(await toolServers.server(id).tools(scope)))
    const tool = pickTool(name, offered)
    if (tool !== undefined) return { tool, offered, isComplete: true }
  }
  return { offered, isComplete: left.length === 0 }
}

function pickTool(name: string, offered: readonly Tool[]): Tool | undefined {
  const exact = offered.filter((each) => each.name === name)
  const found = exact.length > 0 ? exact : offered.filter((each) => isToolName(each.name, name))
  if (found.length > 1)
    throw new Error(`there are several tools ${name}: write which one is meant (${listNames(found)})`)
  return found[0]
}

/** What is started for a case is asked for its state only where viva calls the tools: other agents cannot reach it. */
function isForAll(id: string, players: readonly ToolUser[], toolServers: ToolServers): boolean {
  if (players.length === 0) return true
  const owner = toolServers.belongsTo(id)
  return owner === 'project' || (owner === 'case' && !players.some(runsItsTools))
}

/** viva calls the tools of packages and of agents with a connector, which name their servers. */
function runsItsTools({ servers }: ToolUser): boolean {
  return servers === undefined
}

function explainUnknown(name: string, players: readonly ToolUser[], offered: readonly Tool[]): string {
  const advice = advise(players, name)
  const ids = players.map(({ agent }) => agent.id).join(', ')
  return advice === ''
    ? `${ids} has no tool ${name} (it has: ${listNames(offered)}), and no other agent is asked for the state of this case`
    : `${ids} runs its tools itself, so what ${name} would return is unknown${advice}`
}

/** How the state of an agent that runs its tools itself can be checked, if there is one. */
function advise(agents: readonly ToolUser[], tool: string): string {
  const blackBox = findBlackBox(agents)
  return blackBox === undefined ? '' : `. ${describeWays(blackBox, tool)}`
}

/** The same before anything runs: its tool calls may be hidden. */
function adviseBefore(agents: readonly ToolUser[], tool: string): string {
  return `${advise(agents, tool)}${disclosureHint(findBlackBox(agents)?.disclosure?.tools)}`
}

function findBlackBox(agents: readonly ToolUser[]): Agent | undefined {
  return agents.find(runsItsTools)?.agent
}

function describeWays({ findTool, disclosure }: Agent, tool: string): string {
  const script = 'Let a function of a script look it up (`call.script`)'
  const ways = findTool === undefined ? script : `${script}, or export ${tool} from the module of the agent`
  return disclosure?.tools === undefined ? ways : `${ways}; or check its tool calls`
}

/** `expenses` of `expenses__get`. */
function serverIn(tool: string): string | undefined {
  return tool.includes('__') ? tool.slice(0, tool.indexOf('__')) : undefined
}

function isServerName(id: string, server: string): boolean {
  return toolName(id, '') === `${server}__`
}

function listNames(tools: readonly Tool[]): string {
  return tools.map(({ name }) => name).join(', ') || 'none'
}
