import { ConfigError } from '../errors.ts'
import { untilAborted } from '../scope/deadline.ts'
import type { Scope } from '../scope/scope.ts'
import type { Data, Message } from '../transcript/message.ts'
import type { Reply } from '../transcript/reply.ts'
import type { Agent } from './agent.ts'

export interface Question {
  /** The conversation; the last message is the one that is answered. */
  messages: readonly Message[]
  options: Data
}

/** Asks an agent once, in a session of its own. `scope.context` says who asks. */
export async function askOnce(agent: Agent, { messages, options }: Question, scope: Scope): Promise<Reply> {
  const history = messages.slice(0, -1)
  const last = messages.at(-1)
  if (last === undefined)
    throw new ConfigError({ code: 'bad_messages', message: `${agent.id}: there is no message to send` })
  if (history.length > 0 && agent.history === 'kept')
    throw new ConfigError({ code: 'no_history', message: `${agent.id} cannot be given a history` })
  const session = await untilAborted(agent.open(scope), scope.signal)
  try {
    const request = {
      input: { value: last.content, message: last },
      view: { history, turns: [] },
      options,
    }
    return await untilAborted(session.send(request, scope), scope.signal)
  } finally {
    await session.close().catch(() => {})
  }
}
