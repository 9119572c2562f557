import type { Data } from '../../../results/transcript/message.ts'
import type { UnseenCallsEvent } from '../../protocol/wrap-tools.ts'
import { listUnseenCalls } from './ai-sdk-reply.ts'
import type { SdkAgent } from './ai-sdk-shape.ts'
import { findPrepareCall, withPreparedTools } from './prepared-tools.ts'
import { answerAs, listExecuted, type ToolCaller, wrapToolSet } from './wrap-tools.ts'

/** Asks an agent of the AI SDK. Its tools are wrapped for this call, also those that it chooses itself. */
export async function generate(agent: SdkAgent, given: Data, caller: ToolCaller): Promise<unknown> {
  const tools = wrapToolSet(agent.tools, caller)
  const options = { ...given, ...(tools !== undefined && { tools }) }
  const result = await answerAs(caller, () => withPreparedTools(agent, (called) => called.generate(options)))
  const unseen = listUnseenCalls(result)
  if (unseen.unexecuted.length + unseen.provider.length > 0)
    caller.report({ type: 'unseen_calls', ...unseen } satisfies UnseenCallsEvent)
  return result
}

/** The tools of an agent that can be wrapped. Undefined where they are chosen for each call. */
export function listAgentTools(agent: SdkAgent): string[] | undefined {
  return findPrepareCall(agent) === undefined ? listExecuted(agent.tools) : undefined
}
