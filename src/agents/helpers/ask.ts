import { defined } from '../../json/defined.ts'
import type { Data } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import type { Role } from '../../results/usage.ts'
import { createHelperContext, type StandIn } from '../../scope/context.ts'
import type { Scope } from '../../scope/scope.ts'
import type { Agent } from '../agent.ts'
import { converse } from '../converse.ts'
import { createPlaceholders } from './placeholders.ts'

/** What a helper is asked: its parameters, and the options its author gave it. */
export interface HelperRequest {
  role: Role
  params: Data
  options: Data
  /** Answers in place of its tools. */
  standIn?: StandIn | undefined
}

/** Asks for the parameters; with a correction, for a better answer in the same conversation. */
export type AskHelper = (correction?: { message: string; params: Data }) => Promise<Reply>

/**
 * A conversation with an agent that works for the test, in a session of its own. It is given one user message with
 * the parameters as JSON, and the same parameters in its metadata: agents written for either can read them.
 */
export function withHelper<T>(
  agent: Agent,
  { role, params, options, standIn }: HelperRequest,
  scope: Scope,
  talk: (ask: AskHelper, own: Scope) => Promise<T>,
): Promise<T> {
  const given = { ...(options.metadata as Data | undefined), ...params }
  const context = createHelperContext(scope.context, {
    sessionId: scope.newSessionId([role, agent.id, given]),
    referer: 'agent-test',
    placeholders: createPlaceholders(role, given),
    ...defined({ standIn }),
  })
  const own = scope.child(role, undefined, context)
  return converse(agent, own, (say) =>
    talk((correction) => {
      const content = correction?.message ?? JSON.stringify(params)
      const metadata = { ...given, ...correction?.params }
      return say({ role: 'user', content }, { ...options, metadata })
    }, own),
  )
}

/** Asks an agent that works for the test once. */
export function askHelper(agent: Agent, request: HelperRequest, scope: Scope): Promise<Reply> {
  return withHelper(agent, request, scope, (ask) => ask())
}
