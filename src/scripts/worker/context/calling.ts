import type {
  AgentCallRequest,
  AnyScriptRequest,
  CallbackRef,
  ConnectorRequest,
  ToolCallRequest,
  Until,
} from '../../protocol/ask.ts'
import type { BridgeEnd } from '../../protocol/asking.ts'
import { isFunction, isThenable } from '../is-function.ts'
import { createMcpReading } from './mcp-reading.ts'
import { callService } from './services.ts'

type Options = Record<string, unknown>

/** `ctx.agent`: calls other agents while the script is blocked. */
export function createAgentCalls(bridge: BridgeEnd) {
  const { alone, ...several } = createMultiCalls<AgentCallRequest>(bridge, (asked) => ({
    kind: 'agents',
    ...asked,
  }))
  return {
    Call: (agent: string, messages: unknown, options?: Options) => alone({ agent, messages }, options),
    ...several,
  }
}

/** `ctx.llm`: calls a connector's model directly. */
export function createModelCalls(bridge: BridgeEnd) {
  const { alone, ...several } = createMultiCalls<ConnectorRequest>(bridge, (asked) => ({
    kind: 'models',
    ...asked,
  }))
  return {
    Stream: (connector: string, messages: unknown, options?: Options) =>
      alone({ connector, messages }, options),
    ...several,
    GenerateImage: (...args: unknown[]) => callService(bridge, 'ctx.llm.GenerateImage', args),
  }
}

/** Makes one or several calls. Functions in their options stay here, and are called back. */
function createMultiCalls<Request extends { options?: unknown }>(
  bridge: BridgeEnd,
  askFor: (asked: { until: Until; requests: Request[]; onChunk?: CallbackRef }) => AnyScriptRequest,
) {
  const ask =
    (until: Until) =>
    (written: Request[], options: Options = {}): unknown[] => {
      const requests = written.map((request) => ({ ...request, options: withoutFunctions(request.options) }))
      return bridge.ask(
        askFor({ until, requests, ...createChunkCallback(bridge, written, options.onChunk) }),
      ) as unknown[]
    }
  return {
    alone: (request: Request, options: Options = {}) => ask('all')([{ ...request, options }])[0],
    All: ask('all'),
    Any: ask('any'),
    Race: ask('race'),
  }
}

function withoutFunctions(options: unknown): Options {
  const { onChunk: _, ...rest } = (options ?? {}) as Options
  return rest
}

/**
 * Combines all callbacks into one: that of the whole call, which learns whose message it is, or each request's own. Its
 * return value is ignored.
 */
function createChunkCallback(
  bridge: BridgeEnd,
  requests: readonly { options?: unknown }[],
  whole: unknown,
): { onChunk?: CallbackRef } {
  const own = requests.map(({ options }) => (options as Options | undefined)?.onChunk)
  if (!isFunction(whole) && !own.some(isFunction)) return {}
  return {
    onChunk: bridge.refer((id, index, message) => {
      const single = own[Number(index ?? 0)]
      const result = isFunction(whole)
        ? whole(id, index, message)
        : isFunction(single)
          ? single(message)
          : undefined
      // A promise is passed on, and refused by the bridge: nobody would await it.
      return isThenable(result) ? result : undefined
    }),
  }
}

interface NamedCall {
  name: string
  arguments?: unknown
}

interface CrossCall {
  mcp: string
  tool: string
  arguments?: unknown
}

/** `ctx.mcp`: the tools of the app's MCP servers. Calls to one server throw; across servers an error is a result. */
export function createToolCalls(bridge: BridgeEnd) {
  const ask = (until: Until | 'in_order' | 'together', calls: ToolCallRequest[]) =>
    bridge.ask({ kind: 'call_tools', until, calls }) as unknown[]
  const across = (until: Until) => (requests: CrossCall[]) =>
    ask(
      until,
      requests.map(({ mcp: server, tool, arguments: args }) => ({ server, tool, arguments: args ?? {} })),
    )
  const named = (server: string, tools: NamedCall[]) =>
    tools.map(({ name: tool, arguments: args }) => ({ server, tool, arguments: args ?? {} }))
  return {
    ListTools: (server: string, _cursor?: string) => bridge.ask({ kind: 'list_tools', server }),
    CallTool: (server: string, tool: string, args: unknown = {}) =>
      ask('in_order', [{ server, tool, arguments: args }])[0],
    CallTools: (server: string, tools: NamedCall[]) => ask('in_order', named(server, tools)),
    CallToolsParallel: (server: string, tools: NamedCall[]) => ask('together', named(server, tools)),
    All: across('all'),
    Any: across('any'),
    Race: across('race'),
    ...createMcpReading(bridge),
  }
}
