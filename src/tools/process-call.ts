import { ConfigError, InfrastructureError, messageOf, TimeoutError } from '../errors.ts'
import type { Scope } from '../scope/scope.ts'
import { ToolError } from './tool.ts'

export type RunProcess = (name: string, args: unknown[], scope: Scope) => Promise<unknown>

/** Calls a process of the app in the place of something that a server has. `target`: what that is. */
export async function callProcess(
  target: string,
  process: string,
  args: unknown[],
  run: RunProcess,
  scope: Scope,
): Promise<unknown> {
  const toolScope = scope.child('tool')
  const outcome = await toolScope.exchange({
    target,
    request: args,
    perform: () => run(process, args, toolScope).then((result) => ({ result }), failureOf),
  })
  if ('error' in outcome) throw new ToolError(outcome.error)
  return outcome.result ?? null
}

/** What the script throws is the tool's failure, which the model is told of; the rest is none of its business. */
function failureOf(error: unknown): { error: string } {
  const others = [InfrastructureError, ConfigError, TimeoutError]
  if (others.some((kind) => error instanceof kind)) throw error
  return { error: messageOf(error) }
}
