import { isRecord } from '../../../json/json.ts'
import type { Data } from '../../../results/transcript/message.ts'
import type { UnexecutedCallsEvent } from '../../protocol/wrap-tools.ts'
import { isFunction } from '../is-function.ts'
import { listUnexecutedCalls } from './ai-sdk-reply.ts'
import type { SdkAgent } from './ai-sdk-shape.ts'
import { answerAs, answering, listExecuted, type ToolCaller, wrapToolSet } from './wrap-tools.ts'

/** Asks an agent of the AI SDK. Its tools are wrapped for this call, also those that it chooses itself. */
export async function generate(agent: SdkAgent, given: Data, caller: ToolCaller): Promise<unknown> {
  wrapPreparedTools(agent)
  const tools = wrapToolSet(agent.tools, caller)
  const result = await answerAs(caller, () =>
    agent.generate({ ...given, ...(tools !== undefined && { tools }) }),
  )
  const places = listUnexecutedCalls(result)
  if (places.length > 0) caller.report({ type: 'unexecuted_calls', places } satisfies UnexecutedCallsEvent)
  return result
}

/** The tools of an agent that can be wrapped. Undefined where they are chosen for each call. */
export function listAgentTools(agent: SdkAgent): string[] | undefined {
  return findPrepareCall(agent) === undefined ? listExecuted(agent.tools) : undefined
}

type PrepareCall = (args: unknown) => unknown

function findPrepareCall({ settings }: SdkAgent): PrepareCall | undefined {
  return isRecord(settings) && isFunction(settings.prepareCall) ? settings.prepareCall : undefined
}

const preparing = new WeakSet<PrepareCall>()

/** Tools that `prepareCall` returns take the place of those that the agent is called with. */
function wrapPreparedTools(agent: SdkAgent): void {
  const prepare = findPrepareCall(agent)
  if (prepare === undefined || preparing.has(prepare)) return
  const wrapping = async function (this: unknown, args: unknown) {
    const prepared: unknown = await prepare.call(this, args)
    const caller = answering.getStore()
    if (!isRecord(prepared) || caller === undefined || caller.hasEnded()) return prepared
    return { ...prepared, tools: wrapToolSet(prepared.tools, caller) }
  }
  preparing.add(wrapping)
  Object.assign(agent.settings as object, { prepareCall: wrapping })
}
