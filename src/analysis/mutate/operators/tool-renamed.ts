import { replaceCall } from '../edit-reply.ts'
import type { Operator } from '../operator.ts'
import { visibleCalls } from '../tools.ts'

export const toolRenamed: Operator = {
  name: 'tool_renamed',
  about: 'Another tool is called in its place.',
  damage: ({ reply, suite, choose }) =>
    visibleCalls(reply).map((call) => {
      const others = suite.tools.filter((name) => name !== call.name)
      const name = choose(others, call.name) ?? `preview_${call.name}`
      return {
        what: `${name} was called instead of ${call.name}`,
        apply: () => replaceCall(reply, call, [{ ...call, name }]),
      }
    }),
}
