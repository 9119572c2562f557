import type { Scope } from '../scope/scope.ts'
import type { ServerExtras } from './extras.ts'
import type { McpAnswer, McpReading } from './mcp-reading.ts'
import { ToolError } from './tool.ts'

/** Offers scripts what an MCP server has besides its tools. `connection` starts the server if needed. */
export function createMcpExtras(id: string, connection: (scope: Scope) => Promise<McpReading>): ServerExtras {
  async function read<T>(
    what: string,
    request: unknown,
    scope: Scope,
    ask: (reading: McpReading, signal: AbortSignal) => Promise<McpAnswer<T>>,
  ): Promise<T> {
    const toolScope = scope.child('tool')
    const outcome = await toolScope.exchange({
      target: `${id} ${what}`,
      request,
      perform: async (signal) => ask(await connection(toolScope), signal),
    })
    if ('error' in outcome) throw new ToolError(`${what} of MCP server ${id}: ${outcome.error}`)
    return outcome.answer
  }
  return {
    resources: (scope) => read('resources', null, scope, (reading, signal) => reading.resources(signal)),
    readResource: (uri, scope) =>
      read(`resource ${uri}`, null, scope, (reading, signal) => reading.resource(uri, signal)),
    prompts: (scope) => read('prompts', null, scope, (reading, signal) => reading.prompts(signal)),
    prompt: (name, args, scope) =>
      read(`prompt ${name}`, args, scope, (reading, signal) => reading.prompt(name, args, signal)),
    // The protocol has no samples.
    samples: () => [],
  }
}
