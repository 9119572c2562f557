import type { ToolCall } from '../../../results/transcript/message.ts'
import { withCalls } from '../edit-reply.ts'
import type { Damage, Operator } from '../operator.ts'
import { dependsOn } from '../tools.ts'

export const toolsReordered: Operator = {
  name: 'tools_reordered',
  about: 'Two calls that follow each other change places, though the second needs the first.',
  damage: ({ reply }) => {
    if (reply.toolCalls === 'hidden') return []
    const calls = reply.toolCalls
    return calls.flatMap((first, place): Damage[] => {
      const second = calls[place + 1]
      if (second === undefined || first.error !== undefined || second.error !== undefined) return []
      if (first.name === second.name || !dependsOn(second, first)) return []
      return [
        {
          what: `${second.name} was called before ${first.name}`,
          apply: () => withCalls(reply, swapped(calls, place, first, second)),
        },
      ]
    })
  },
}

function swapped(calls: readonly ToolCall[], place: number, first: ToolCall, second: ToolCall): ToolCall[] {
  return [...calls.slice(0, place), second, first, ...calls.slice(place + 2)]
}
