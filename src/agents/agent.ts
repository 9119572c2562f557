import type { Data } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import type { Input, View } from '../results/transcript/turn.ts'
import type { Scope } from '../scope/scope.ts'
import type { StubLayers } from '../tools/stubs.ts'

/** Something that answers messages. An adapter implements this; `testing/agent-conformance.ts` says how it must behave. */
export interface Agent {
  id: string
  /** `any`: takes values that are no messages too. */
  input: 'messages' | 'any'
  /** `given`: each call is handed the whole conversation. `kept`: the agent remembers its session. */
  history: 'given' | 'kept'
  /** `served`: viva runs its tools. `reported`: it tells which it called. `hidden`: it tells nothing. */
  tools: 'served' | 'reported' | 'hidden'
  /** Most sessions that it serves well at once, whatever `--parallel` says. */
  concurrency?: number
  /** Those that viva runs for it, one after the other; starts their servers when it comes to them. */
  toolNames?(signal: AbortSignal): AsyncIterable<string>
  /** A fresh session: nothing of another case, run or attempt is in it. `scope.context` says who asks. */
  open(scope: Scope): Promise<Session>
}

/** One turn of the user's. */
export interface TurnRequest {
  input: Input
  /** The conversation before `input`. */
  view: View
  /** The case's, overlaid with the turn's; `metadata` in them is the whole metadata of the turn. */
  options: Data
  /** Tools that viva answers for; only an agent whose tools are `served` is given any. */
  stubs?: StubLayers
}

export interface Session {
  /** Throws `AgentError` when the agent itself fails and `InfrastructureError` when it could not be asked. */
  send(request: TurnRequest, scope: Scope): Promise<Reply>
  close(): Promise<void>
}
