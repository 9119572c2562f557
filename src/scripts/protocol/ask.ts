import type { Scope } from '../../scope/scope.ts'

/** What a script may ask the runner for, while its worker is blocked. */
export type ScriptRequest =
  /** `Process(name, ...args)` */
  | { kind: 'process'; name: string; args: unknown[] }
  /** `ctx.agent.Call/All/Any/Race` */
  | { kind: 'agents'; until: Until; requests: AgentCallRequest[]; onChunk?: CallbackRef }
  /** `ctx.llm.Stream/All/Any/Race` */
  | { kind: 'models'; until: Until; requests: ConnectorRequest[]; onChunk?: CallbackRef }
  /** `ctx.mcp.ListTools` */
  | { kind: 'list_tools'; server: string }
  /** `ctx.mcp.CallTool/CallTools/CallToolsParallel/All/Any/Race` */
  | { kind: 'call_tools'; until: Until | 'in_order' | 'together'; calls: ToolCallRequest[] }
  /** `ctx.mcp.ListResources/ReadResource/ListPrompts/GetPrompt/ListSamples/GetSample` */
  | { kind: 'read_mcp'; server: string; wanted: McpItem }
  /** A tool that `ctx.tools` or viva has wrapped is called. Like the next one, it does not block its thread. */
  | WrappedToolRequest
  /** The agent has answered without waiting for tools that it had called. */
  | { kind: 'begin_tools' }
  /** `t.assert.Agent` */
  | { kind: 'validate'; value: unknown; agent: string; options: unknown }
  /** The script used a part of the engine that viva lacks: always refused with this message, and noted. */
  | { kind: 'missing'; message: string }

/** When a call to several is over: when all have answered, when one has succeeded, or when one has answered at all. */
export type Until = 'all' | 'any' | 'race'

export interface AgentCallRequest {
  agent: string
  messages: unknown
  options?: unknown
}

export interface ConnectorRequest {
  connector: string
  messages: unknown
  options?: unknown
}

export interface ToolCallRequest {
  server: string
  tool: string
  arguments?: unknown
}

/** A call of a tool of a module agent. `run` calls the tool itself. */
export interface WrappedToolRequest {
  kind: 'wrapped_tool'
  tool: string
  id: string
  arguments?: unknown
  run: CallbackRef
}

/** What the tool itself has returned; `unshowable` says why it cannot be shown, although the agent has it. */
export type WrappedToolResult = { result?: unknown } | { unshowable: string }

/** What an MCP server offers besides its tools. */
export type McpItem =
  | { what: 'resources' }
  | { what: 'resource'; uri: unknown }
  | { what: 'prompts' }
  | { what: 'prompt'; name: string; arguments: unknown }
  | { what: 'samples'; of: unknown; name: string }
  | { what: 'sample'; of: unknown; name: string; index: unknown }

/** A reference to a function of the script, which is called in its worker. */
export interface CallbackRef {
  fn: number
}

/** Asked between two tests, so that the result of the last one is on disk before the next begins. */
export interface NextTestRequest {
  kind: 'next_test'
}

/** Registers a function with the runner that answers in place of a process. */
export interface MockRequest {
  kind: 'mock'
  name: string
  mock: CallbackRef
}

export type AnyScriptRequest = ScriptRequest | MockRequest | NextTestRequest

/** Calls a function that a script passed along with its request. */
export type CallBack = (ref: CallbackRef, args: unknown[]) => Promise<unknown>

/** The runner's side: answers the requests of scripts. */
export interface ScriptRequestHandler {
  /** `scope` is that of the script which asks. */
  answer(ask: ScriptRequest, scope: Scope, callBack: CallBack): Promise<unknown>
}
