import { ConfigError } from '../errors.ts'
import type { Data, Message } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import type { Input, Turn } from '../results/transcript/turn.ts'
import { untilAborted } from '../scope/deadline.ts'
import type { Scope } from '../scope/scope.ts'
import type { Agent } from './agent.ts'

/** Sends the next message of a conversation. */
export type Say = (message: Message, options: Data) => Promise<Reply>

/** Opens a session for a conversation and closes it when `talk` returns. `scope.context` says who asks. */
export async function converse<T>(
  agent: Agent,
  scope: Scope,
  talk: (say: Say) => Promise<T>,
  history: readonly Message[] = [],
): Promise<T> {
  if (history.length > 0 && agent.history === 'kept')
    throw new ConfigError({ code: 'no_history', message: `${agent.id} cannot be given a history` })
  const session = await untilAborted(agent.open(scope), scope.stop)
  const turns: Turn[] = []
  const say: Say = async (message, options) => {
    const input = { value: message.content, message }
    const request = { input, view: { history, turns: [...turns] }, options }
    const reply = await untilAborted(session.send(request, scope), scope.stop)
    turns.push(plainTurn(turns.length + 1, input, reply))
    return reply
  }
  try {
    return await talk(say)
  } finally {
    await session.close?.().catch(() => {})
  }
}

/** A turn of a conversation that nobody judges. */
export function plainTurn(number: number, input: Input, reply: Reply): Turn {
  const awaiting = { awaiting: false, reason: 'completed' } as const
  return { number, source: 'static', input, reply, checks: [], awaiting, durationMs: 0 }
}
