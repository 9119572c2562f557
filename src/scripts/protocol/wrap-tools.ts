/** Reported when an agent offers wrapped tools: what is stubbed must be among them. */
export interface OfferedToolsEvent {
  type: 'offered_tools'
  names: string[]
  /** The tools beside them that the user's side runs. */
  client: string[]
}

export function isOfferedTools(event: unknown): event is OfferedToolsEvent {
  return typeof event === 'object' && event !== null && 'type' in event && event.type === 'offered_tools'
}

/** Reported when an agent of the AI SDK has answered: the places of tool calls in its reply that its tools did not execute. */
export interface UnseenCallsEvent {
  type: 'unseen_calls'
  /** Certainly not executed. */
  unexecuted: number[]
  /** Executed by the provider of the model. */
  provider: number[]
}

export function isUnseenCalls(event: unknown): event is UnseenCallsEvent {
  return typeof event === 'object' && event !== null && 'type' in event && event.type === 'unseen_calls'
}

/** Reported to both calls when code of one of them calls a tool that the other one has wrapped. */
export interface BorrowedToolEvent {
  type: 'borrowed_tool'
  tool: string
  /** Neither the tool nor a stub of the call whose code this is has answered. */
  misled?: true
}

export function isBorrowedTool(event: unknown): event is BorrowedToolEvent {
  return typeof event === 'object' && event !== null && 'type' in event && event.type === 'borrowed_tool'
}

/**
 * Functions and tools of the AI SDK, by name. They are returned as they are, except that viva sees every call: it can be
 * stubbed, delayed and made to fail.
 */
export type WrapTools = <Tools extends object & { [Name in keyof Tools]: object }>(
  tools: Tools,
) => WrappedTools<Tools>

/** The same tools. Functions return promises: those that do so anyway keep their type, with type parameters and overloads. */
export type WrappedTools<Tools> = { [Name in keyof Tools]: WrappedTool<Tools[Name]> }

type WrappedTool<Tool> = Tool extends (...args: never) => Promise<unknown> | AsyncIterator<unknown>
  ? Tool
  : Tool extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : Tool
