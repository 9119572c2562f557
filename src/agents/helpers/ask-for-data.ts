import { messageText } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import type { Scope } from '../../scope/scope.ts'
import type { Agent } from '../agent.ts'
import { type HelperRequest, withHelper } from './ask.ts'
import { askTwice, describeCorrection, type Reading } from './ask-twice.ts'

/** Asks a helper for data. An answer that cannot be read is sent back once, in the same conversation. */
export function askForData<T>(
  agent: Agent,
  request: HelperRequest,
  read: (reply: Reply) => Reading<T>,
  scope: Scope,
): Promise<T> {
  return withHelper(agent, request, scope, (ask, own) =>
    askTwice(
      agent.id,
      async (rejection) => {
        const reply = await ask(
          rejection && {
            message: describeCorrection(rejection),
            params: { last_answer_problem: rejection.problem, last_answer: rejection.said },
          },
        )
        return { said: messageText(reply.output) || reply.content, reading: read(reply) }
      },
      own,
    ),
  )
}
