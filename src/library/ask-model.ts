import { WorldError } from '../errors.ts'
import type { Reading } from '../helper-agents/structured.ts'
import type { Model } from '../models/model.ts'
import type { Role } from '../results/usage.ts'
import type { Scope } from '../scope/scope.ts'
import { shorten } from '../shorten.ts'

export type { Reading }

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

/** Asks a model. An answer that cannot be used gets one more chance; after that nobody guesses what it meant. */
export async function askModel<T>(model: Model, asking: Asking<T>, scope: Scope): Promise<T> {
  const own = scope.child(asking.role)
  const ask = async (problem?: string) => {
    const system =
      problem === undefined
        ? asking.system
        : `${asking.system}\nYour last answer could not be used: it ${problem}.`
    const messages = [
      { role: 'system' as const, content: system },
      { role: 'user' as const, content: asking.user },
    ]
    const { content } = await model.generate({ messages, tools: [], settings: {} }, own)
    return { content, reading: asking.read(content) }
  }
  const first = await ask()
  if ('value' in first.reading) return first.reading.value
  scope.log(`${asking.name} ${first.reading.problem}: ${shorten(first.content, 200)}; it is asked again`)
  const second = await ask(first.reading.problem)
  if ('value' in second.reading) return second.reading.value
  throw new WorldError(
    'bad_response',
    `${asking.name} ${second.reading.problem} (asked twice): ${shorten(second.content || 'nothing', 200)}`,
  )
}
