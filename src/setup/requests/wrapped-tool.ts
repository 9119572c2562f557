import { errorMessage, InfrastructureError } from '../../errors.ts'
import type { ToolCall } from '../../results/transcript/message.ts'
import type { Scope } from '../../scope/scope.ts'
import type { CallBack, WrappedToolRequest, WrappedToolResult } from '../../scripts/protocol/ask.ts'
import { callTool } from '../../tools/call-tool.ts'
import { type Tool, ToolError } from '../../tools/tool.ts'

/** A tool of a module agent is called: its stub, its recorded answer or the tool itself gives the result. */
export async function callWrappedTool(
  { tool: name, id, arguments: args, run }: WrappedToolRequest,
  scope: Scope,
  callBack: CallBack,
): Promise<unknown> {
  const { standIn, wrapped } = scope.context
  const call: ToolCall = { id, name, arguments: args }
  if (standIn?.replaces(name)) call.stubbed = true
  wrapped?.calls.push(call)
  let isUnshowable = false
  const perform = async () => {
    const answer = await runOwn(() => callBack(run, []))
    if (!('unshowable' in answer)) return answer.result
    isUnshowable = true
    // It is recorded as this error, because a replay has no result for the agent.
    throw new InfrastructureError('not_recorded', answer.unshowable)
  }
  const tool: Pick<Tool, 'name' | 'call'> = {
    name,
    call: (request, own) => own.child('tool').exchange({ target: name, request, perform, isAgents: true }),
  }
  try {
    const result = await callTool(tool, args, scope)
    call.result = result ?? null
    return result
  } catch (error) {
    // The agent has the result, of which nobody else knows anything.
    if (isUnshowable) return undefined
    // Where nobody waits any more, the tool itself has not failed.
    if (!scope.stop.aborted) call.error = errorMessage(error)
    if (error instanceof InfrastructureError && wrapped !== undefined) wrapped.failure ??= error
    // The agent must not learn from the name of the error that it is being tested.
    throw error instanceof ToolError ? new Error(error.message) : error
  }
}

async function runOwn(run: () => Promise<unknown>): Promise<WrappedToolResult> {
  try {
    return (await run()) as WrappedToolResult
  } catch (error) {
    throw new ToolError(errorMessage(error))
  }
}
