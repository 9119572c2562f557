import type { Agent, Session } from '../agents/agent.ts'
import type { Conversation } from '../conversation/conversation.ts'
import type { Plan } from '../conversation/plan.ts'
import { type ConversationSettings, failedConversation, playConversation } from '../conversation/play.ts'
import { errorMessage } from '../errors.ts'
import type { CaseScope } from '../scope/case-scope.ts'
import { untilAborted, withTimeout } from '../scope/deadline.ts'

/** After this time a session that does not close is abandoned: it does not affect the result. */
const closeTimeoutMs = 2000

/** Opens a session with the agent, holds the conversation, and closes the session. */
export async function holdConversation(
  plan: Plan,
  agent: Agent,
  scope: CaseScope,
  settings: ConversationSettings,
): Promise<Conversation> {
  const opening = agent.open(scope)
  let session: Session
  try {
    session = await untilAborted(opening, scope.stop)
  } catch (error) {
    // A session that opens too late is closed anyway.
    opening.then((late) => late.close?.()).catch(() => {})
    return failedConversation(plan, error, scope)
  }
  try {
    return await playConversation(plan, session, scope, settings)
  } finally {
    if (session.close !== undefined)
      await withTimeout(closeTimeoutMs, session.close()).catch((error: unknown) =>
        scope.log(`closing the session: ${errorMessage(error)}`),
      )
  }
}
