import { recordMissing } from '../scope/record-missing.ts'
import type { Scope } from '../scope/scope.ts'
import type { Stop } from '../scope/stop.ts'
import type { CallDetails, Tool } from './tool.ts'

/** Calls a tool, or its stub in this play of the case. Throws what the tool throws. */
export async function callTool(
  tool: Pick<Tool, 'name' | 'call'>,
  args: unknown,
  scope: Scope,
  details?: CallDetails,
): Promise<unknown> {
  const { standIn } = scope.context
  if (!standIn?.replaces(tool.name)) return tool.call(args, scope, details)
  const own = scope.child('tool')
  const perform = ({ signal }: Stop) => standIn.answer(tool.name, args, signal)
  return recordMissing(scope, () => own.exchange({ target: tool.name, request: args, perform, local: true }))
}
