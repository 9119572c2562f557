import { setMaxListeners } from 'node:events'
import { InfrastructureError, InterruptedError } from '../errors.ts'
import { pause, untilAborted } from '../scope/deadline.ts'
import { defaultRetryPolicy, retryDelay } from '../scope/retry.ts'
import type { Scope } from '../scope/scope.ts'
import type { Data } from '../transcript/message.ts'
import { connectMcp, type McpConnection, type OfferedTool } from './mcp-connection.ts'
import { createMcpExtras } from './mcp-extras.ts'
import type { McpSettings } from './mcp-settings.ts'
import { type Tool, ToolError, type ToolServer, toolName, type Waiting } from './tool.ts'

/**
 * An MCP server, shared by all sessions of a run: started when it is first needed, kept to the end, started again
 * when it died. One that did not start is not tried again, so that every case fails at once instead of waiting.
 */
export function createMcpServer(id: string, settings: McpSettings): ToolServer {
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  let current: Promise<McpConnection> | undefined

  // Nor is the wait on the account of the cases that need it: the start has a limit of its own.
  const connection = (scope: Waiting): Promise<McpConnection> =>
    scope.standStill((signal) => {
      current ??= start()
      return untilAborted(current, signal)
    })

  // On nobody's account: the case that happens to be first must not pay for it, nor end it when it is ended.
  function start(): Promise<McpConnection> {
    const forget = () => {
      if (current === starting) current = undefined
    }
    const starting = connectPatiently({ id, settings, signal: closing.signal, onClose: forget })
    starting.catch((error: unknown) => {
      if (error instanceof InfrastructureError && error.retryable) forget()
    })
    return starting
  }

  async function call(tool: string, args: unknown, scope: Scope): Promise<unknown> {
    const name = toolName(id, tool)
    const toolScope = scope.child('tool')
    const outcome = await toolScope.exchange({
      target: name,
      request: args,
      async perform(signal) {
        const server = await connection(toolScope)
        return server.call(tool, (args ?? {}) as Data, signal)
      },
    })
    if (outcome.error !== undefined) throw new ToolError(outcome.error)
    return outcome.result
  }

  const toTool = ({ name, ...offered }: OfferedTool): Tool => ({
    ...offered,
    name: toolName(id, name),
    call: (args, scope) => call(name, args, scope),
  })

  return {
    id,
    async tools(scope) {
      const { tools } = await connection(scope)
      return tools.map(toTool)
    },
    extras: createMcpExtras(id, async (scope) => (await connection(scope)).reading),
    async close() {
      closing.abort(new InterruptedError('the run is over'))
      const opened = await current?.catch(() => undefined)
      await opened?.close()
    },
  }
}

async function connectPatiently(options: Parameters<typeof connectMcp>[0]): Promise<McpConnection> {
  for (let retries = 0; ; retries++) {
    try {
      return await connectMcp(options)
    } catch (error) {
      const delay = retryDelay(error, retries, defaultRetryPolicy, Number.POSITIVE_INFINITY)
      if (delay === undefined || options.signal.aborted) throw error
      await pause(delay, options.signal)
    }
  }
}
