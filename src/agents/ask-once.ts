import { ConfigError } from '../errors.ts'
import type { Data, Message } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import type { Scope } from '../scope/scope.ts'
import type { Agent } from './agent.ts'
import { converse } from './converse.ts'

export interface Question {
  /** The conversation; the agent answers the last message. */
  messages: readonly Message[]
  options: Data
}

/** Asks an agent once, in a session of its own. `scope.context` says who asks. */
export async function askOnce(agent: Agent, { messages, options }: Question, scope: Scope): Promise<Reply> {
  const last = messages.at(-1)
  if (last === undefined)
    throw new ConfigError({ code: 'bad_messages', message: `${agent.id}: there is no message to send` })
  return converse(agent, scope, (say) => say(last, options), messages.slice(0, -1))
}
