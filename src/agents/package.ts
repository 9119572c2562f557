import type { Connectors } from '../app/connectors.ts'
import type { ToolServers } from '../app/mcps.ts'
import type { Package } from '../app/package.ts'
import { renderPrompts } from '../app/prompts.ts'
import { ConfigError, lookingInto } from '../errors.ts'
import type { Context } from '../scope/context.ts'
import { StubPlayer } from '../tools/stubs.ts'
import { type Tool, type ToolServer, toolName, type Waiting } from '../tools/tool.ts'
import type { Data, Message } from '../transcript/message.ts'
import { messagesOf } from '../transcript/turn.ts'
import type { Agent } from './agent.ts'
import { seedOf } from './seed.ts'
import { answerWithTools, type ToolLoop } from './tool-loop.ts'

export interface PackageSurroundings {
  connectors: Connectors
  toolServers: ToolServers
  /** `-c` */
  connectorFlag?: string
  /** `--stub-all` */
  stubAll?: boolean
}

/** An agent of an app: its prompts, then the conversation, to its connector's model, with its tools. */
export function packageAgent(
  pack: Package,
  { connectors, toolServers, connectorFlag, stubAll = false }: PackageSurroundings,
): Agent {
  const ownConnector = pack.connector
  const model = (turnConnector: unknown) => {
    const id = connectorFlag ?? (typeof turnConnector === 'string' ? turnConnector : ownConnector)
    if (id === undefined) throw new ConfigError(noConnector(pack))
    return connectors.model(id)
  }
  // What can go wrong before the first case should: the model is made once here, and the servers are looked up.
  if (connectorFlag !== undefined) model(undefined)
  else if (ownConnector !== undefined) lookingInto(pack.file, () => model(undefined))
  const servers = lookingInto(pack.file, () =>
    pack.tools.servers.map(({ id, tools }) => ({ server: toolServers.server(id), tools })),
  )
  const allTools = async (scope: Waiting): Promise<Tool[]> => {
    const lists = await Promise.all(
      servers.map(({ server, tools }) => chosenTools(pack, server, tools, scope)),
    )
    return lists.flat()
  }
  return {
    id: pack.id,
    input: 'messages',
    history: 'given',
    tools: servers.length === 0 ? 'reported' : 'served',
    async toolNames(signal) {
      return (await allTools({ signal, standStill: (work) => work(signal) })).map(({ name }) => name)
    },
    async open(opening) {
      const { context } = opening
      const { maxTurn, loop } = pack.tools
      const tools = await allTools(opening)
      const player = new StubPlayer()
      const toolLoop: ToolLoop = { agentId: pack.id, tools, maxTurn, loop, player, stubAll }
      return {
        async send({ input, view, options, stubs = [] }, scope) {
          const messages = [...promptsFor(pack, context, options), ...messagesOf(view), input.message]
          const request = { messages, settings: { ...pack.options, ...seedOf(options) } }
          return servers.length === 0
            ? model(options.connector).generate({ ...request, tools: [] }, scope)
            : answerWithTools(toolLoop, model(options.connector), request, stubs, scope)
        },
        async close() {},
      }
    },
  }
}

/** All tools of the server, or those that the package names. */
async function chosenTools(
  pack: Package,
  server: ToolServer,
  wanted: readonly string[] | undefined,
  scope: Waiting,
): Promise<Tool[]> {
  const offered = await server.tools(scope)
  if (wanted === undefined) return offered
  return wanted.map((name) => {
    const tool = offered.find((each) => each.name === toolName(server.id, name))
    if (tool !== undefined) return tool
    const known = offered.map((each) => each.name)
    const hint = `see mcp.servers in the package.yao of ${pack.id}`
    const message = `${pack.id} has no tool "${name}" in MCP server ${server.id}: ${listed(known)}`
    throw new ConfigError({ code: 'unknown_tool', message, hint })
  })
}

function promptsFor(pack: Package, context: Context, options: Data): Message[] {
  const metadata = (options.metadata ?? {}) as Data
  const withoutGlobal = options.disable_global_prompts === true || metadata.__disable_global_prompts === true
  const prompts = [...(withoutGlobal ? [] : pack.globalPrompts), ...presetOf(pack, metadata.__prompt_preset)]
  return renderPrompts(prompts, {
    ASSISTANT_ID: pack.id,
    ASSISTANT_NAME: pack.name,
    ASSISTANT_DESCRIPTION: pack.description,
    ASSISTANT_TYPE: pack.type,
    CHAT_ID: context.sessionId,
    LOCALE: context.locale,
    REFERER: context.referer,
    CLIENT_TYPE: context.client.type,
    USER_ID: context.userId,
    TEAM_ID: context.teamId,
    TENANT_ID: context.authorized.tenant_id,
    ...metadata,
  })
}

function presetOf(pack: Package, preset: unknown) {
  if (typeof preset !== 'string' || preset === '') return pack.prompts
  const found = pack.presets.get(preset)
  if (found) return found
  throw new ConfigError({ code: 'unknown_preset', message: unknownPreset(pack, preset) })
}

function unknownPreset({ id, presets }: Package, preset: string): string {
  return `${id} has no prompt preset "${preset}": ${listed([...presets.keys()])}`
}

/** What is wrong with a preset that a case names, told before anything runs. */
export function presetProblem(pack: Package, preset: string): string | undefined {
  return pack.presets.has(preset) ? undefined : unknownPreset(pack, preset)
}

function listed(known: readonly string[]): string {
  return known.length === 0 ? 'there are none' : `there are ${known.join(', ')}`
}

function noConnector(pack: Package) {
  return {
    code: 'no_connector',
    message: `agent ${pack.id} has no connector`,
    hint: 'add "connector" to its package.yao, or use -c',
  }
}
