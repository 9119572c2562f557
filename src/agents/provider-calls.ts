import { InfrastructureError } from '../errors.ts'
import type { Reply } from '../results/transcript/reply.ts'
import type { Scope } from '../scope/scope.ts'

/** The reply of a model as the reply of an agent, with the calls that its provider has run. */
export function withProviderCalls(completion: Reply, scope: Scope): Reply {
  refuseStubbedCalls(completion, scope)
  if (completion.providerCalls === undefined) return completion
  const { providerCalls, toolCalls, ...reply } = completion
  return { ...reply, toolCalls: toolCalls === 'hidden' ? toolCalls : [...providerCalls, ...toolCalls] }
}

/** Throws if the provider of a model has run a tool that was to be stubbed. */
export function refuseStubbedCalls({ providerCalls = [] }: Reply, { context }: Scope): void {
  const { standIn } = context
  if (standIn === undefined || standIn.sparesOwnCalls) return
  const call = providerCalls.find(({ name }) => standIn.replaces(name))
  if (call !== undefined) throw providerCallError(call.name)
}

export function providerCallError(tool: string): InfrastructureError {
  const message = `the provider of the model ran ${tool} itself, so that it could not be stubbed: turn the tool off at the provider, or do not stub it (--stub-all stubs all tools)`
  return new InfrastructureError('stub', message, { tool })
}
