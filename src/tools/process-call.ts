import type { Scope } from '../scope/scope.ts'
import { callToolCode } from './tool-code.ts'

export type RunProcess = (name: string, args: unknown[], scope: Scope) => Promise<unknown>

/** Calls a process of the app that implements a tool or resource; `target` names that one. */
export function callProcess(
  target: string,
  process: string,
  args: unknown[],
  run: RunProcess,
  scope: Scope,
): Promise<unknown> {
  return callToolCode(
    { target, request: args, follows: 'processes', run: (own) => run(process, args, own) },
    scope,
  )
}
