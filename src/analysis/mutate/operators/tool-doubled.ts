import { replaceCall } from '../edit-reply.ts'
import type { Operator } from '../operator.ts'
import { isReading, isSetting, visibleCalls } from '../tools.ts'

export const toolDoubled: Operator = {
  name: 'tool_doubled',
  about: 'A tool that changes something is called twice with the same arguments.',
  damage: ({ reply }) =>
    visibleCalls(reply)
      .filter(({ name }) => !isReading(name) && !isSetting(name))
      .map((call) => ({
        what: `${call.name} was called twice`,
        apply: () => replaceCall(reply, call, [call, { ...call, id: `${call.id}_again` }]),
      })),
}
