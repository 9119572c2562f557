import type { AgentRequest, CallbackRef, ModelRequest, ToolRequest, Until } from '../ask.ts'
import type { Bridge } from '../bridge.ts'
import { isFunction, isThenable } from '../is-function.ts'

type Asking = Pick<Bridge, 'ask' | 'refer'>
type Options = Record<string, unknown>

/** `ctx.agent`: other agents, asked while the script stands still. */
export function createAgentCalls(bridge: Asking) {
  const several = (until: Until) => (requests: AgentRequest[], options?: Options) =>
    ask(until, requests, options)

  function ask(until: Until, requests: AgentRequest[], options?: Options): unknown[] {
    const plain = requests.map(({ options: own, ...request }) => ({ ...request, ...optionsOf(own) }))
    return bridge.ask({
      kind: 'agents',
      until,
      requests: plain,
      ...chunkCallback(bridge, requests, options),
    }) as unknown[]
  }
  return {
    Call: (agent: string, messages: unknown, options?: Options) =>
      ask('all', [{ agent, messages, options: { ...options } }], alone(options))[0],
    All: several('all'),
    Any: several('any'),
    Race: several('race'),
  }
}

/** `ctx.llm`: a connector's model, asked directly. */
export function createModelCalls(bridge: Asking) {
  const several = (until: Until) => (requests: ModelRequest[], options?: Options) =>
    ask(until, requests, options)

  function ask(until: Until, requests: ModelRequest[], options?: Options): unknown[] {
    const plain = requests.map(({ options: own, ...request }) => ({ ...request, ...optionsOf(own) }))
    return bridge.ask({
      kind: 'models',
      until,
      requests: plain,
      ...chunkCallback(bridge, requests, options),
    }) as unknown[]
  }
  return {
    Stream: (connector: string, messages: unknown, options?: Options) =>
      ask('all', [{ connector, messages, options: { ...options } }], alone(options))[0],
    All: several('all'),
    Any: several('any'),
    Race: several('race'),
  }
}

/** Called with the message alone, where one is asked; with whose it is, where several are. */
function alone(options: Options | undefined): Options | undefined {
  const { onChunk } = options ?? {}
  return isFunction(onChunk)
    ? { onChunk: (_id: unknown, _index: unknown, message: unknown) => onChunk(message) }
    : {}
}

function optionsOf(options: unknown): { options?: Options } {
  if (typeof options !== 'object' || options === null) return {}
  const { onChunk: _, ...rest } = options as Options
  return { options: rest }
}

/** One function for all: that of the whole call, else each request's own. What it returns is nobody's business. */
function chunkCallback(
  bridge: Asking,
  requests: readonly { options?: unknown }[],
  options: Options | undefined,
): { onChunk?: CallbackRef } {
  const whole = options?.onChunk
  const own = requests.map((request) => (request.options as Options | undefined)?.onChunk)
  if (!isFunction(whole) && !own.some(isFunction)) return {}
  return {
    onChunk: bridge.refer((id, index, message) => {
      const single = own[Number(index)]
      const result = isFunction(whole)
        ? whole(id, index, message)
        : isFunction(single)
          ? single(message)
          : undefined
      // A promise is refused where it arrives: nobody waits for it.
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

/** `ctx.mcp`: the tools of the app's MCP servers. Those of one server throw; across servers an error is a result. */
export function createToolCalls(bridge: Asking) {
  const ask = (until: Until | 'in_order' | 'together', calls: ToolRequest[]) =>
    bridge.ask({ kind: 'call_tools', until, calls }) as unknown[]
  const across = (until: Until) => (requests: CrossCall[]) =>
    ask(
      until,
      requests.map(({ mcp: server, tool, arguments: args }) => ({ server, tool, arguments: args ?? {} })),
    )
  const named = (server: string, tools: NamedCall[]) =>
    tools.map(({ name: tool, arguments: args }) => ({ server, tool, arguments: args ?? {} }))
  return {
    ListTools: (server: string) => bridge.ask({ kind: 'list_tools', server }),
    CallTool: (server: string, tool: string, args: unknown = {}) =>
      ask('in_order', [{ server, tool, arguments: args }])[0],
    CallTools: (server: string, tools: NamedCall[]) => ask('in_order', named(server, tools)),
    CallToolsParallel: (server: string, tools: NamedCall[]) => ask('together', named(server, tools)),
    All: across('all'),
    Any: across('any'),
    Race: across('race'),
    ListResources: missing('ListResources'),
    ReadResource: missing('ReadResource'),
    ListPrompts: missing('ListPrompts'),
    GetPrompt: missing('GetPrompt'),
  }
}

function missing(name: string) {
  return () => {
    throw new Error(`ctx.mcp.${name} is not supported yet`)
  }
}
