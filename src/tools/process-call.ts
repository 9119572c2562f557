import { ConfigError, errorMessage, InfrastructureError, TimeoutError } from '../errors.ts'
import type { Scope } from '../scope/scope.ts'
import { ToolError } from './tool.ts'

export type RunProcess = (name: string, args: unknown[], scope: Scope) => Promise<unknown>

/** Calls a process of the app that implements a tool or resource; `target` names that one. */
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
    perform: () => run(process, args, toolScope).then((result) => ({ result }), toToolFailure),
  })
  if ('error' in outcome) throw new ToolError(outcome.error)
  return outcome.result ?? null
}

/** An error thrown by the script is the tool's failure, which the model sees; other errors are not for the model. */
function toToolFailure(error: unknown): { error: string } {
  const others = [InfrastructureError, ConfigError, TimeoutError]
  if (others.some((kind) => error instanceof kind)) throw error
  return { error: errorMessage(error) }
}
