import { ConfigError, errorMessage, InfrastructureError, TimeoutError } from '../errors.ts'
import type { Context } from '../scope/context.ts'
import type { Scope } from '../scope/scope.ts'
import { contextEffects, visibleIdentity } from '../scripts/runner/context-effects.ts'
import { ToolError } from './tool.ts'

/** A call of the user's code that implements a tool or a resource. */
export interface ToolCodeCall {
  /** The tool or resource. */
  target: string
  request: unknown
  /** As in an exchange. */
  continues?: string
  follows?: string
  run(scope: Scope, signal: AbortSignal): Promise<unknown>
}

export async function callToolCode({ run, ...called }: ToolCodeCall, scope: Scope): Promise<unknown> {
  const toolScope = scope.child('tool', undefined, toCaseContext(scope.context))
  const outcome = await toolScope.exchange({
    ...called,
    effects: contextEffects(toolScope.context),
    // Not what hooks and scripts keep: a tool is asked the same if its arguments are the same.
    sees: () => visibleIdentity(toolScope.context),
    perform: ({ signal }, own) => run(own, signal).then((result) => ({ result }), toToolFailure),
  })
  if ('error' in outcome) throw new ToolError(outcome.error)
  return outcome.result ?? null
}

/** The agent and the user act on the same state, which tools keep by session. */
function toCaseContext(context: Context): Context {
  const { caseSessionId } = context
  return caseSessionId === undefined ? context : { ...context, sessionId: caseSessionId }
}

/** An error thrown by the code is the tool's failure, which the model sees; other errors are not for the model. */
function toToolFailure(error: unknown): { error: string } {
  const others = [InfrastructureError, ConfigError, TimeoutError]
  if (others.some((kind) => error instanceof kind)) throw error
  return { error: errorMessage(error) }
}
