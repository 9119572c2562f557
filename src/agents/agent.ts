import type { Context } from '../scope/context.ts'
import type { Scope } from '../scope/scope.ts'
import type { Data } from '../transcript/message.ts'
import type { Reply } from '../transcript/reply.ts'
import type { Input, View } from '../transcript/turn.ts'

/** Something that answers messages. An adapter implements this; `agents/conformance.ts` says how it must behave. */
export interface Agent {
  id: string
  /** `any`: takes values that are no messages too. */
  input: 'messages' | 'any'
  /** `given`: each call is handed the whole conversation. `kept`: the agent remembers its session. */
  history: 'given' | 'kept'
  /** `served`: viva runs its tools. `reported`: it tells which it called. `hidden`: it tells nothing. */
  tools: 'served' | 'reported' | 'hidden'
  /** A fresh session: nothing of another case, run or attempt is in it. */
  open(scope: Scope, context: Context): Promise<Session>
}

export interface Session {
  /**
   * One turn. `view` is the conversation before `input`. `options` are the case's, overlaid with the turn's;
   * `options.metadata` is the whole metadata of the turn.
   * Throws `AgentError` when the agent itself fails and `WorldError` when it could not be asked.
   */
  send(input: Input, view: View, options: Data, scope: Scope): Promise<Reply>
  close(): Promise<void>
}
