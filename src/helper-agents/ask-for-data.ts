import type { Agent } from '../agents/agent.ts'
import type { Scope } from '../scope/scope.ts'
import { textOf } from '../transcript/message.ts'
import type { Reply } from '../transcript/reply.ts'
import { askHelper, type HelperRequest } from './ask.ts'
import { askTwice, type Reading } from './ask-twice.ts'

/** Asks a helper for data. Asked again, it is told in its parameters why. */
export function askForData<T>(
  agent: Agent,
  request: HelperRequest,
  read: (reply: Reply) => Reading<T>,
  scope: Scope,
): Promise<T> {
  return askTwice(
    agent.id,
    async (rejection) => {
      const told = rejection && { last_answer_problem: rejection.problem, last_answer: rejection.said }
      const reply = await askHelper(agent, { ...request, params: { ...request.params, ...told } }, scope)
      return { said: textOf(reply.output) || reply.content, reading: read(reply) }
    },
    scope,
  )
}
