import { sortedJson } from '../../../json/json.ts'
import type { ToolCall } from '../../../results/transcript/message.ts'
import { replaceCall } from '../edit-reply.ts'
import type { Operator } from '../operator.ts'
import { isThinking, visibleCalls } from '../tools.ts'

export const toolDropped: Operator = {
  name: 'tool_dropped',
  about: 'A tool is not called, though the reply says the same.',
  damage: ({ reply }) => {
    const calls = visibleCalls(reply)
    return calls
      .filter(({ name }) => !isThinking(name))
      .filter((call) => calls.filter((other) => isSameCall(other, call)).length === 1)
      .map((call) => ({
        what: `${call.name} was not called`,
        reply: replaceCall(reply, call, []),
      }))
  },
}

/** Of two equal calls, one is enough. */
function isSameCall(left: ToolCall, right: ToolCall): boolean {
  return left.name === right.name && sortedJson(left.arguments) === sortedJson(right.arguments)
}
