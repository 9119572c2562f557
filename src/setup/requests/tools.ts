import { ConfigError } from '../../errors.ts'
import type { Scope } from '../../scope/scope.ts'
import type { ScriptRequest, ToolCallRequest } from '../../scripts/protocol/ask.ts'
import { callTool } from '../../tools/call-tool.ts'
import { checkArguments } from '../../tools/check-arguments.ts'
import { ToolError, toolName } from '../../tools/tool.ts'
import type { AskedFor } from './asked-for.ts'
import { askMock } from './mock.ts'
import { askSeveral } from './several.ts'

type Servers = Pick<AskedFor, 'toolServers'>

/** `ctx.mcp.ListTools`: names as the server has them. */
export async function listTools(server: string, { toolServers }: Servers, scope: Scope): Promise<unknown> {
  const tools = await toolServers.server(server).tools(scope)
  return {
    tools: tools.map(({ name, description, inputSchema }) => ({
      name: name.slice(toolName(server, '').length),
      ...(description !== undefined && { description }),
      inputSchema,
    })),
  }
}

/** `ctx.mcp.CallTool` and its sisters. */
export async function callTools(
  { calls, until }: Extract<ScriptRequest, { kind: 'call_tools' }>,
  servers: Servers,
  scope: Scope,
): Promise<unknown> {
  const one = (call: ToolCallRequest, own: Scope) => callNamed(call, servers, own)
  if (until === 'together') return Promise.all(calls.map((call) => one(call, scope)))
  if (until === 'in_order') {
    const results: unknown[] = []
    for (const call of calls) results.push(await one(call, scope))
    return results
  }
  return askSeveral(calls, until, scope, {
    label: ({ server, tool }) => ({ mcp: server, tool }),
    ask: async (call, _index, own) => ({ result: await one(call, own) }),
  })
}

async function callNamed(
  { server, tool: name, arguments: args }: ToolCallRequest,
  { toolServers }: Servers,
  scope: Scope,
): Promise<unknown> {
  const mocked = await askMock(`mcp.${server}.${name}`, [args], scope)
  if (mocked !== undefined) return mocked.answer
  const tools = await toolServers.server(server).tools(scope)
  const tool = tools.find((each) => each.name === toolName(server, name))
  if (tool === undefined) {
    const known = tools.map((each) => each.name.slice(toolName(server, '').length)).join(', ')
    const message = `MCP server ${server} has no tool "${name}" (it has: ${known || 'none'})`
    throw new ConfigError({ code: 'unknown_tool', message })
  }
  const fault = checkArguments(tool, args)
  if (fault !== undefined) throw new ToolError(fault)
  return callTool(tool, args, scope.child('tool'))
}
