import { textOrJson } from '../../json/json.ts'
import type { Data } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import type { Scope } from '../../scope/scope.ts'
import type { Agent } from '../agent.ts'
import { helperAgent } from './model-helper.ts'

/** A function `(params, ctx)` that works for the test like an agent, and is given the same parameters. */
export function scriptAgent(
  id: string,
  call: (params: Data, options: Data, scope: Scope) => Promise<unknown>,
): Agent {
  return helperAgent(id, async ({ options: { metadata, ...options } }, scope) =>
    toScriptReply(await call((metadata ?? {}) as Data, options, scope)),
  )
}

function toScriptReply(said: unknown): Reply {
  const content = textOrJson(said)
  return { output: said ?? '', content, messages: [{ role: 'assistant', content }], toolCalls: 'hidden' }
}
