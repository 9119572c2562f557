import type { Data } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import type { Input, View } from '../results/transcript/turn.ts'
import type { Scope } from '../scope/scope.ts'
import type { StubLayers } from '../tools/stubs.ts'

/** Something that answers messages. Every adapter implements this interface; `agentConformance` checks how it behaves. */
export interface Agent {
  id: string
  /** `any`: accepts values other than messages, too. */
  input: 'messages' | 'any'
  /** `given`: every call receives the whole conversation. `kept`: the agent remembers its session. */
  history: 'given' | 'kept'
  /** `served`: viva runs its tools. `reported`: it reports its tool calls. `hidden`: it does not. */
  tools: 'served' | 'reported' | 'hidden'
  /** The most sessions it can serve at once, whatever `--parallel` says. */
  concurrency?: number
  /** Gets ready for so many sessions at once, so that none of them waits for it. */
  prepare?(sessions: number, signal: AbortSignal): Promise<void>
  /** The tools that viva runs for it, one by one; a server is started only when its tools are reached. */
  toolNames?(signal: AbortSignal): AsyncIterable<string>
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
  /** Stubs for tools; only passed to an agent whose tools are `served`. */
  stubs?: StubLayers
}

/** One conversation with an agent. */
export interface Session {
  /** Throws `AgentError` when the agent itself fails and `InfrastructureError` when it could not be reached. */
  send(request: TurnRequest, scope: Scope): Promise<Reply>
  /** Absent when there is nothing to close. */
  close?(): Promise<void>
}

/** A session that leaves nothing to close. */
export function plainSession(send: Session['send']): Session {
  return { send }
}
