import { askTwice, type Reading } from '../helper-agents/ask-twice.ts'
import type { Model } from '../models/model.ts'
import type { Role } from '../results/usage.ts'
import type { Scope } from '../scope/scope.ts'

/** Whoever was asked says that nobody could tell: no verdict, and no fault of anybody. */
export class CannotTell extends Error {}

export interface Asking<T> {
  /** Who asks, for the figures. */
  role: Role
  /** How messages name the one who is asked. */
  name: string
  system: string
  user: string
  read(text: string): Reading<T>
}

/** Asks a model. Asked again, it is told in its instructions why. */
export function askModel<T>(
  model: Model,
  { role, name, system, user, read }: Asking<T>,
  scope: Scope,
): Promise<T> {
  const own = scope.child(role)
  return askTwice(
    name,
    async (rejection) => {
      const told = rejection ? `\nYour last answer could not be used: it ${rejection.problem}.` : ''
      const messages = [
        { role: 'system' as const, content: `${system}${told}` },
        { role: 'user' as const, content: user },
      ]
      const { content } = await model.generate({ messages, tools: [], settings: {} }, own)
      return { said: content, reading: read(content) }
    },
    scope,
  )
}
