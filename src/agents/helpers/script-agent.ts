import { textOrJson } from '../../json/json.ts'
import type { Data } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import type { Scope } from '../../scope/scope.ts'
import type { Agent } from '../agent.ts'

/** A function `(params, ctx)` that works for the test as an agent would: it is given what that would be told. */
export function scriptAgent(
  id: string,
  call: (params: Data, options: Data, scope: Scope) => Promise<unknown>,
): Agent {
  return {
    id,
    input: 'messages',
    history: 'given',
    tools: 'hidden',
    async open() {
      return {
        async send({ options: { metadata, ...options } }, scope) {
          return toScriptReply(await call((metadata ?? {}) as Data, options, scope))
        },
        async close() {},
      }
    },
  }
}

function toScriptReply(said: unknown): Reply {
  const content = textOrJson(said)
  return { output: said ?? '', content, messages: [{ role: 'assistant', content }], toolCalls: 'hidden' }
}
