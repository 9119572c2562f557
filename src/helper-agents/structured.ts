import type { Agent } from '../agents/agent.ts'
import { WorldError } from '../errors.ts'
import type { Scope } from '../scope/scope.ts'
import { shorten } from '../shorten.ts'
import { textOf } from '../transcript/message.ts'
import type { Reply } from '../transcript/reply.ts'
import { askHelper, type HelperRequest } from './ask.ts'

/** What a reply was read as, or why it could not be. */
export type Reading<T> = { value: T } | { problem: string }

/**
 * Asks a helper for data. An answer that cannot be read gets one more chance, with what was wrong with it in
 * `last_answer_problem`, always words of ours; after that nobody guesses what it meant.
 */
export async function askForData<T>(
  agent: Agent,
  request: HelperRequest,
  read: (reply: Reply) => Reading<T>,
  scope: Scope,
): Promise<T> {
  const first = await askHelper(agent, request, scope)
  const reading = read(first)
  if ('value' in reading) return reading.value
  scope.log(`${agent.id} ${reading.problem}: ${shown(first)}; it is asked again`)
  const told = { last_answer_problem: reading.problem, last_answer: shown(first) }
  const second = await askHelper(agent, { ...request, params: { ...request.params, ...told } }, scope)
  const again = read(second)
  if ('value' in again) return again.value
  throw new WorldError('bad_response', `${agent.id} ${again.problem} (asked twice): ${shown(second)}`)
}

function shown({ output, content }: Reply): string {
  return shorten(textOf(output) || content || 'nothing', 200)
}
