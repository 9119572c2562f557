import { askTwice, correctionOf, type Reading } from '../agents/helpers/ask-twice.ts'
import type { Model } from '../models/model.ts'
import type { Message } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import type { Role } from '../results/usage.ts'
import type { Scope } from '../scope/scope.ts'

export interface Asking<T> {
  /** Who asks, for the figures. */
  role: Role
  /** How messages name the one who is asked. */
  name: string
  system: string
  user: string
  read(reply: Reply): Reading<T>
  /** How it is asked again; default: for JSON. */
  again?: string
}

/** Asks a model. An answer that cannot be used is sent back once, in the same conversation. */
export function askModel<T>(
  model: Model,
  { role, name, system, user, read, again }: Asking<T>,
  scope: Scope,
): Promise<T> {
  const own = scope.child(role)
  const messages: Message[] = [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ]
  return askTwice(
    name,
    async (rejection) => {
      if (rejection) messages.push({ role: 'user', content: correctionOf(rejection, again) })
      const reply = await model.generate({ messages: [...messages], tools: [], settings: {} }, own)
      messages.push({ role: 'assistant', content: reply.content })
      return { said: reply.content, reading: read(reply) }
    },
    own,
  )
}
