import type { Data } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import type { Input, View } from '../results/transcript/turn.ts'
import type { Disclosure } from '../scope/context.ts'
import type { Scope } from '../scope/scope.ts'
import type { StubLayers } from '../tools/stubs.ts'
import type { Tool } from '../tools/tool.ts'

/** Something that answers messages. Every adapter implements this interface; `agentConformance` checks how it behaves. */
export interface Agent {
  id: string
  /** `any`: accepts values other than messages, too. */
  input: 'messages' | 'any'
  /** `given`: every call receives the whole conversation. `kept`: the agent remembers its session. */
  history: 'given' | 'kept'
  /**
   * `served`: viva runs its tools. `wrapped`: it runs them, and viva decides about each call. `reported`: it reports its
   * tool calls. `hidden`: it does not.
   */
  tools: 'served' | 'wrapped' | 'reported' | 'hidden'
  /** How its hidden tool calls and its token counts become visible. */
  disclosure?: Disclosure
  /** The most sessions it can serve at once, whatever `--parallel` says. */
  concurrency?: number
  /** Gets ready for so many sessions at once, so that none of them waits for it. */
  prepare?(sessions: number, signal: AbortSignal): Promise<void>
  /** The tools that can be stubbed, one by one; a server is started only when its tools are reached. */
  toolNames?(signal: AbortSignal): AsyncIterable<string>
  /** A tool of its own, or a function that its module exports, called as it is for whoever plays the case of `scope`. Undefined where it has no such tool. */
  findTool?(name: string, scope: Scope): Pick<Tool, 'name' | 'call'> | undefined
  /** Opens a fresh session that shares nothing with another case, run or attempt. `scope.context` says who asks. */
  open(scope: Scope): Promise<Session>
}

/** One user turn. */
export interface TurnRequest {
  input: Input
  /** The conversation before `input`. */
  view: View
  /** The options of the case, overridden by those of the turn; `metadata` is the complete metadata of the turn. */
  options: Data
  /** Stubs for tools; only passed to an agent whose tools are `served` or `wrapped`. */
  stubs?: StubLayers
}

/** One conversation with an agent. */
export interface Session {
  /** Throws `AgentError` when the agent itself fails and `InfrastructureError` when it could not be reached. */
  send(request: TurnRequest, scope: Scope): Promise<Reply>
  /** Called after the last turn. Throws `InfrastructureError` for a stub of a tool that was never there. */
  checkStubs?(): void
  /** Absent when there is nothing to close. */
  close?(): Promise<void>
}

/** A session that leaves nothing to close. */
export function plainSession(send: Session['send']): Session {
  return { send }
}
