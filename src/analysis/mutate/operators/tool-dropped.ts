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
    const counts = new Map<string, number>()
    for (const call of calls) counts.set(callName(call), (counts.get(callName(call)) ?? 0) + 1)
    return (
      calls
        .filter(({ name }) => !isThinking(name))
        // Of two equal calls, one is enough.
        .filter((call) => counts.get(callName(call)) === 1)
        .map((call) => ({
          what: `${call.name} was not called`,
          apply: () => replaceCall(reply, call, []),
        }))
    )
  },
}

function callName({ name, arguments: args }: ToolCall): string {
  return sortedJson([name, args])
}
