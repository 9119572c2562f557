import { askJudge } from '../../agents/helpers/judge.ts'
import { askValidator, validatorRequest } from '../../agents/helpers/validator.ts'
import type { ResolvedAgent } from '../../agents/resolved.ts'
import type { AgentLookup } from '../../cases/speakers.ts'
import type { CheckHelpers } from '../../checks/check-helpers.ts'
import type { Connectors } from '../../project/app/connectors.ts'
import type { ToolServers } from '../../project/app/mcps.ts'
import { isToolName } from '../../text/tool-name.ts'
import { checkArguments } from '../../tools/check-arguments.ts'
import { type Tool, toolName } from '../../tools/tool.ts'
import type { SnapshotStore } from '../snapshots/snapshot-store.ts'

/** What checks get of the project. Connectors are theirs by name: `-c` is for the agent under test. */
export function createCheckHelpers(
  connectors: Connectors,
  toolServers: ToolServers,
  underTest: readonly Pick<ResolvedAgent, 'agent' | 'servers' | 'toolModules'>[],
  scripts: Pick<CheckHelpers, 'scriptProblem' | 'callScript'>,
  validators: AgentLookup,
  snapshots: SnapshotStore,
): CheckHelpers {
  const near = new Set(underTest.flatMap(({ servers = [] }) => servers))
  const modules = [...new Set(underTest.flatMap(({ toolModules = [] }) => toolModules))]
  return {
    ...scripts,
    toolProblem(tool) {
      const ids = toolServers.ids()
      if (underTest.some(({ agent }) => agent.findTool !== undefined)) return undefined
      if (ids.length + modules.length === 0) return 'there is no MCP server whose tools could be called'
      const server = serverIn(tool)
      if (server === undefined || ids.some((id) => isServerName(id, server))) return undefined
      return `there is no MCP server "${server}" (there are: ${ids.join(', ')})`
    },
    async callTool(name, args, scope) {
      for (const { agent } of underTest) {
        const own = agent.findTool?.(name, scope)
        if (own !== undefined) return own.call(args, scope)
      }
      const server = serverIn(name)
      const asked = toolServers.ids().filter((id) => server === undefined || isServerName(id, server))
      const offered: Tool[] = []
      for (const path of modules) offered.push(...(await toolServers.module(path).tools(scope)))
      // Servers that no agent here has are not started for a tool that is found without them.
      for (const ids of [asked.filter((id) => near.has(id)), asked.filter((id) => !near.has(id))]) {
        for (const id of ids) offered.push(...(await toolServers.server(id).tools(scope)))
        const exact = offered.filter((each) => each.name === name)
        const found = exact.length > 0 ? exact : offered.filter((each) => isToolName(each.name, name))
        if (found.length > 1) throw new Error(ambiguous(name, found))
        const [tool] = found
        if (tool === undefined) continue
        const fault = checkArguments(tool, args)
        if (fault !== undefined) throw new Error(fault)
        return tool.call(args, scope)
      }
      throw new Error(
        `there is no tool ${name} (there are: ${offered.map((each) => each.name).join(', ') || 'none'})`,
      )
    },
    snapshot: (question) => snapshots.ask(question),
    validatorProblem: validators.problem,
    validate: async (use, shown, options, scope) =>
      askValidator(await validators.agent(use), validatorRequest(shown, options), scope),
    judge: async (use, request, scope) => askJudge(await validators.agent(use), request, scope),
    embedProblem: (id) =>
      connectors.problem(id) ?? (connectors.model(id).embed ? undefined : noEmbeddings(id)),
    async embed(id, texts, scope) {
      const { embed } = connectors.model(id)
      if (embed === undefined) throw new Error(noEmbeddings(id))
      return embed(texts, scope.child('judge'))
    },
  }
}

/** `expenses` of `expenses__get`. */
function serverIn(tool: string): string | undefined {
  return tool.includes('__') ? tool.slice(0, tool.indexOf('__')) : undefined
}

function isServerName(id: string, server: string): boolean {
  return toolName(id, '') === `${server}__`
}

function ambiguous(name: string, tools: readonly Tool[]): string {
  const names = tools.map((tool) => tool.name).join(', ')
  return `there are several tools ${name}: write which one is meant (${names})`
}

function noEmbeddings(id: string): string {
  return `connector ${id} gives no embeddings; one of type openai does, and a scripted one with \`embeddings\``
}
