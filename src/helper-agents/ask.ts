import { randomUUID } from 'node:crypto'
import type { Agent } from '../agents/agent.ts'
import { askOnce } from '../agents/ask-once.ts'
import type { Role } from '../results/usage.ts'
import { contextOfHelper } from '../scope/context.ts'
import type { Scope } from '../scope/scope.ts'
import type { Data } from '../transcript/message.ts'
import type { Reply } from '../transcript/reply.ts'

/** What a helper is asked: its parameters, and the options its author gave it. */
export interface HelperRequest {
  role: Role
  params: Data
  options: Data
}

/**
 * Asks an agent that works for the test, once and in a session of its own. It is given exactly one user message
 * with the parameters as JSON, and the same parameters in its metadata: agents written for either can read them.
 */
export async function askHelper(
  agent: Agent,
  { role, params, options }: HelperRequest,
  scope: Scope,
): Promise<Reply> {
  const context = contextOfHelper(scope.context, { sessionId: randomUUID(), referer: 'agent-test' })
  const own = scope.child(role, undefined, context)
  const metadata = { ...(options.metadata as Data | undefined), ...params }
  const messages = [{ role: 'user' as const, content: JSON.stringify(params) }]
  return askOnce(agent, { messages, options: { ...options, metadata } }, own)
}
